internal import Dispatch
internal import Glibc
internal import Pantry
internal import TerminalKit

/// A program of the system that is run with an argument vector, never by a shell.
///
/// It runs in a session of its own, away from the terminal, with its outputs at /dev/null.
struct ChildProgram: Sendable {
  /// What became of it.
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// Patience ended first.
    case running
    /// There is no such program in PATH.
    case notFound
    /// The system did not start it: the error number.
    case notStarted(Int32)
  }

  /// What happens to it when patience ends.
  enum Impatience: Sendable {
    /// It is left to itself; it still is waited for, so that it leaves no zombie.
    case leave
    case kill
  }

  /// Its name and its arguments.
  let arguments: [String]
  /// What it reads from its standard input; nil gives it /dev/null.
  var input: [UInt8]?
  /// `NAME=value` for each variable it has; nil gives it this process's.
  var environment: [String]?
  /// Where it is looked for.
  var searchPath = SearchPath.current

  /// Starts it and returns how it ended, or that it has not.
  ///
  /// Starting, feeding and waiting happen on a thread of its own: neither the main actor nor
  /// Swift's cooperative pool waits.
  func run(patience: Duration, then impatience: Impatience) async -> Ending {
    // A queue of its own has a thread of its own; a browser may take it for hours.
    let queue = DispatchQueue(label: "panda.child")
    return await withCheckedContinuation { continuation in
      queue.async {
        guard let program = searchPath.program(arguments[0]) else {
          return continuation.resume(returning: .notFound)
        }
        do throws(SystemError) {
          let child = try start(program)
          let watch = ChildWatch(child.process) { continuation.resume(returning: $0) }
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

/// Two sockets, of which the child reads one.
///
/// Not a pipe: writing to a pipe that nobody reads raises SIGPIPE, and opening one leaves a moment
/// in which another child could inherit it.
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

/// A program that runs, and the socket that feeds it.
private struct StartedChild {
  let process: pid_t
  let input: Int32?

  /// Sends all the bytes, or those that are read before the child ends or is killed.
  func feed(_ bytes: [UInt8]) {
    guard let input else { return }
    defer { close(input) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // The reader is gone; its exit status tells whether it had enough.
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
