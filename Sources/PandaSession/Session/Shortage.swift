internal import Glibc
internal import SystemSupport
internal import TerminalKit

/// Ends the program in words where the system gives it too few descriptors or threads.
///
/// libdispatch crashes if it gets no descriptor for its events, and tries for ever to start a
/// thread, on the thread that asked for it.
package enum Shortage {
  /// The descriptors of a command that reads a library and the network, and some more.
  private static let descriptorCount = 20
  /// The number of seconds in a row in which no thread can be started.
  private static let patience = 3
  /// The end of the watch, and how long it lasts.
  private static let state = Lock<(status: ExitStatus?, secondsLeft: Int)>((nil, .max))

  /// Returns why the program cannot continue; if it can, it is watched from then on.
  package static func begin() -> String? {
    guard hasDescriptors else {
      return "Too few files may be open (ulimit -n): panda needs \(descriptorCount) more"
    }
    // A small stack, which leaves room for those of libdispatch.
    return startsThread(stack: 131_072, watch) ? nil : noThread
  }

  /// Records that the answer is complete, and only the end is left.
  package static func hasAnswered(_ status: ExitStatus) { state.withLock { $0.status = status } }

  /// Ends the watch in a while, for a program that would be woken by it.
  package static func endSoon() { state.withLock { $0.secondsLeft = 10 } }

  private static let noThread =
    "No more threads can be started (ulimit -u, ulimit -v): end other programs, or raise the "
    + "limit"

  private static var hasDescriptors: Bool {
    let copies = (0..<descriptorCount).map { _ in Descriptors.duplicate(STDERR_FILENO) }
    defer { for copy in copies where copy >= 0 { close(copy) } }
    return copies.allSatisfy { $0 >= 0 }
  }

  private typealias Body =
    @convention(c) @Sendable (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  /// - Parameter stack: the bytes of its stack; nil for as many as libdispatch's threads have.
  private static func startsThread(stack: Int? = nil, _ body: Body) -> Bool {
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    return pthread_create(&thread, &attributes, body, nil) == 0
  }

  /// Tries once a second whether a thread can be started.
  private static let watch: Body = { _ in
    var refusals = 0
    while refusals < patience {
      poll(nil, 0, 1_000)
      refusals = startsThread { _ in nil } ? 0 : refusals + 1
      let isOver = state.withLock { state in
        state.secondsLeft -= 1
        return state.secondsLeft <= 0
      }
      if isOver, refusals == 0 { return nil }
    }
    let status = state.withLock(\.status)
    if status == nil { Output.warn("panda: \(noThread).") }
    TerminalGuard.exit((status ?? .failed).rawValue)
  }
}
