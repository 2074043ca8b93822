internal import Dispatch
internal import Glibc
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// Runs a system program with an argument vector, never through a shell.
///
/// It runs in its own session, detached from the terminal, with its outputs at /dev/null.
struct ChildProgram: Sendable {
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// It was still running at the timeout.
    case running
    /// PATH has no such program.
    case notFound
    /// The system could not start it; the error number.
    case notStarted(Int32)
  }

  /// The action on the program at the timeout.
  enum Impatience: Sendable {
    /// Leave it running; it is still waited for, so that it leaves no zombie.
    case leave
    case kill
  }

  /// Its name and its arguments.
  let arguments: [String]
  /// Its standard input; nil means /dev/null.
  var input: [UInt8]?
  /// `NAME=value` for each variable; nil means this process's environment.
  var environment: [String]?
  var searchPath = SearchPath.current

  /// Starts it and returns how it ended, or that it is still running.
  ///
  /// Starting, feeding and waiting happen on a separate thread: neither the main actor nor Swift's
  /// cooperative pool is blocked.
  func run(patience: Duration, then impatience: Impatience) async -> Ending {
    // A separate queue has a separate thread; a browser may occupy it for hours.
    let queue = DispatchQueue(label: "panda.child")
    return await withCheckedContinuation { continuation in
      queue.async {
        guard let program = searchPath.program(arguments[0]) else {
          return continuation.resume(returning: .notFound)
        }
        do throws(SystemError) {
          let child = try start(program)
          let watch = ChildMonitor(child.process) { continuation.resume(returning: $0) }
          watch.giveUp(after: patience, impatience)
          child.feed(input ?? [])
          watch.waitForEnd()
        } catch {
          continuation.resume(returning: error.code == ENOENT ? .notFound : .notStarted(error.code))
        }
      }
    }
  }

  private func start(_ program: String) throws(SystemError) -> StartedChild {
    guard input != nil else {
      return StartedChild(
        process: try startProgram(program, arguments, environment: environment), input: nil)
    }
    guard let pair = SocketPair() else { throw SystemError(code: errno) }
    defer { close(pair.far) }
    do {
      let process = try startProgram(
        program, arguments, environment: environment, input: pair.far)
      return StartedChild(process: process, input: pair.near)
    } catch {
      close(pair.near)
      throw error
    }
  }
}

/// A pair of sockets, one of which the child reads.
///
/// It is not a pipe: writing to a pipe without a reader raises SIGPIPE, and opening one leaves a
/// moment in which another child could inherit it.
private struct SocketPair {
  let near: Int32
  let far: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    (near, far) = (ends[0], ends[1])
  }
}

/// A running program, and the socket that feeds it.
private struct StartedChild {
  let process: pid_t
  let input: Int32?

  /// Sends the bytes until the child stops reading, ends or is killed.
  func feed(_ bytes: [UInt8]) {
    guard let input else { return }
    defer { close(input) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // The reader is gone; its exit status tells whether it had enough input.
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
