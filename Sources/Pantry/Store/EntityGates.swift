/// Observes and notifies item by item: a change of one item reaches its own observers only.
@MainActor
final class EntityGates {
  /// The gates by item identifier.
  ///
  /// A gate is dropped once it has notified: an observer that is still interested reads the item
  /// again, which makes a new one.
  private var gates: [CacheKey: ObservationGate] = [:]

  /// The items first read since recording began; nil if nothing is being recorded.
  private var recorded: [CacheKey]?

  var isEmpty: Bool { gates.isEmpty }

  /// Begins to record which items are read.
  func beginRecording() { recorded = [] }

  /// Ends recording and returns the items first read since it began.
  func endRecording() -> [CacheKey] { recorded.take() ?? [] }

  /// Registers a read of `key`, even if no item has this key.
  func access(_ key: CacheKey) {
    let gate =
      gates[key]
      ?? {
        let gate = ObservationGate()
        gates[key] = gate
        recorded?.append(key)
        return gate
      }()
    gate.access()
  }

  /// The keys among `keys` that have observers.
  func observed(_ keys: [CacheKey]) -> [CacheKey] {
    gates.isEmpty ? [] : keys.filter { gates[$0] != nil }
  }

  /// The keys of all observed items.
  var observed: [CacheKey] { Array(gates.keys) }

  /// Notifies the observers of one item.
  func notify(_ key: CacheKey) {
    gates.removeValue(forKey: key)?.withMutation {}
  }

  /// Notifies the observers of the matching items.
  func notify(where matches: (CacheKey) -> Bool) {
    for key in gates.keys.filter(matches) { notify(key) }
  }
}
