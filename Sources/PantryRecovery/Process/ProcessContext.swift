internal import SystemSupport

/// The process that Pantry runs in: its services, and the objects of which it has one.
///
/// There is one, ``real``, unless a test program simulates several processes in one: then each
/// task and each queue has that of its process.
package final class ProcessContext: Sendable {
  @TaskLocal private static var simulated: ProcessContext?

  private static let real = ProcessContext(SystemServices())

  package static var current: ProcessContext { simulated ?? real }

  package let services: any ProcessServices

  private let objects = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Creates the context of another process than the real one.
  package init(_ services: any ProcessServices) { self.services = services }

  /// Creates one with the services of the system.
  package convenience init() { self.init(SystemServices()) }

  /// Runs `work` as code of this process.
  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try Self.$simulated.withValue(self, operation: work)
  }

  /// Runs `work`, and all tasks that it creates, as code of this process.
  nonisolated(nonsending) package func run<Result>(
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$simulated.withValue(self, operation: work)
  }

  /// Returns the object of its type that the process has, created with its first use.
  package func object<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    objects.withLock { objects in
      let type = ObjectIdentifier(Object.self)
      if let object = objects[type] as? Object { return object }
      let object = make()
      objects[type] = object
      return object
    }
  }
}
