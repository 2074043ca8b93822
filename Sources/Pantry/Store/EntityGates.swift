internal import Observation

/// Observes and notifies item by item: a change of one item reaches its own observers only.
@MainActor
final class EntityGates {
  /// The smallest number of gates that is swept for unobserved ones.
  private static let smallestSweep = 256

  /// The gates by item identifier.
  ///
  /// A gate is dropped once it has notified: an observer that is still interested reads the item
  /// again, which makes a new one. Others are dropped in a sweep when nothing observes them any
  /// more: a screen may have looked at many items.
  private var gates: [CacheKey: EntityGate] = [:]

  /// The number of gates at which the next sweep is made.
  ///
  /// Twice as many as the last one left, so a read costs O(1) on average.
  private var room = smallestSweep

  /// Whether reads are not observed, as in a transaction, which may read every item.
  var isPaused = false

  /// The items first read since recording began; nil if nothing is being recorded.
  private var recorded: [CacheKey]?

  var isEmpty: Bool { gates.isEmpty }

  /// The number of items that are observed, or were since the last sweep.
  var count: Int { gates.count }

  /// Begins to record which items are read.
  func beginRecording() { recorded = [] }

  /// Ends recording and returns the items first read since it began.
  func endRecording() -> [CacheKey] { recorded.take() ?? [] }

  /// Registers a read of `key`, even if no item has this key.
  func access(_ key: CacheKey) {
    guard !isPaused else { return }
    if let gate = gates[key] { return gate.access() }
    if gates.count >= room { sweep() }
    let gate = EntityGate()
    gates[key] = gate
    recorded?.append(key)
    gate.access()
  }

  /// Drops the gates without observers.
  private func sweep() {
    gates = gates.filter { $0.value.isObserved }
    room = max(Self.smallestSweep, 2 * gates.count)
  }

  func observed(_ keys: [CacheKey]) -> [CacheKey] {
    gates.isEmpty ? [] : keys.filter { gates[$0] != nil }
  }

  var observed: [CacheKey] { Array(gates.keys) }

  func notify(_ key: CacheKey) {
    gates.removeValue(forKey: key)?.notify()
  }

  func notify(where matches: (CacheKey) -> Bool) {
    for key in gates.keys.filter(matches) { notify(key) }
  }
}

/// The gate of one item, which knows whether it is observed.
@MainActor
private final class EntityGate: Observable {
  private let registrar = ObservationRegistrar()

  /// A key path that belongs to this gate alone.
  ///
  /// Besides the gate, only Observation retains it, for as long as an observer waits for a change.
  private var keyPath: KeyPath<EntityGate, Int>

  init() {
    keyPath = Self.keyPath(for: 0)
  }

  /// Returns a new object at each call: a key path that captures a value is not shared.
  @inline(never)
  private static func keyPath(for value: Int) -> KeyPath<EntityGate, Int> {
    \.[value]
  }

  /// Exists for its key path only; never read.
  nonisolated private subscript(value: Int) -> Int { value }

  /// Whether an observer waits for a change, or is being registered.
  var isObserved: Bool { !isKnownUniquelyReferenced(&keyPath) }

  func access() { registrar.access(self, keyPath: keyPath) }

  func notify() {
    ObservationGate.countChange()
    registrar.withMutation(of: self, keyPath: keyPath) {}
  }
}
