internal import Observation
internal import Synchronization

/// Registers reads with Observation and notifies the observers of changes, for generic types.
///
/// A generic `@Observable` class rebuilds its key path at each access, which makes a read about 70
/// times slower (1,471 ns against 21 ns, Swift 6.3 on Linux). So the store holds this class, which
/// is not generic, and uses its registrar.
package final class ObservationGate: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  /// Exists for its key path only; never read.
  private var value: Int { 0 }

  /// The number of changes so far, of all gates and of those of items.
  ///
  /// It grows after a change and before observers are notified, so a reader that began to observe
  /// in between can detect that it missed one.
  static var changeCount: Int { changes.load(ordering: .sequentiallyConsistent) }

  private static let changes = Atomic<Int>(0)

  package init() {}

  package func access() {
    registrar.access(self, keyPath: \.value)
  }

  static func countChange() { changes.add(1, ordering: .sequentiallyConsistent) }

  package func withMutation<Result>(_ change: () throws -> Result) rethrows -> Result {
    Self.countChange()
    return try registrar.withMutation(of: self, keyPath: \.value, change)
  }
}
