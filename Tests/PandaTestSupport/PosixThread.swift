public import Glibc

/// Starts threads outside Swift's own pool, where it is fine to block.
public enum PosixThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread, which must be joined.
  public static func start(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
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
    return thread
  }
}
