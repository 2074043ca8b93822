internal import Glibc

/// A thread outside Swift's own pool, where it is fine to block.
///
/// It must be joined.
public struct PosixThread: Sendable {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let handle: pthread_t

  /// Starts the thread.
  ///
  /// - Throws: an error of the system, when there are too many.
  public init(_ body: @escaping @Sendable () -> Void) throws {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      throw SocketError(call: "pthread_create", code: result)
    }
    handle = thread
  }

  /// Waits for its end, once.
  public func join() { pthread_join(handle, nil) }
}
