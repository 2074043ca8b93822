/// Tells those who observe single items, and nobody else.
@MainActor
final class EntityGates {
  /// By the identifier of the item; one that has told is forgotten, since who still observes asks
  /// again.
  private var gates: [CacheKey: ObservationGate] = [:]

  /// The items that were read first since the noting began; nil if nothing is noted.
  private var noted: [CacheKey]?

  var isEmpty: Bool { gates.isEmpty }

  /// Begins to note which items are read.
  func beginNoting() { noted = [] }

  /// The items that were read first since the noting began.
  func endNoting() -> [CacheKey] { noted.take() ?? [] }

  /// Notes that the item was read, be there one or not.
  func access(_ key: CacheKey) {
    let gate =
      gates[key]
      ?? {
        let gate = ObservationGate()
        gates[key] = gate
        noted?.append(key)
        return gate
      }()
    gate.access()
  }

  /// Those of `keys` that were read.
  func observed(_ keys: [CacheKey]) -> [CacheKey] {
    gates.isEmpty ? [] : keys.filter { gates[$0] != nil }
  }

  /// All that were read.
  var observed: [CacheKey] { Array(gates.keys) }

  /// Tells the observers of one item.
  func tell(_ key: CacheKey) {
    gates.removeValue(forKey: key)?.withMutation {}
  }

  /// Tells the observers of all items that are so.
  func tell(_ isSo: (CacheKey) -> Bool) {
    for key in gates.keys.filter(isSo) { tell(key) }
  }
}
