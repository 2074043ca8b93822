internal import Dispatch
internal import Glibc

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
  var searchPath = SearchPath(getenv("PATH").map { String(cString: $0) })

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
        switch start(program) {
        case .failure(let error):
          continuation.resume(returning: error.code == ENOENT ? .notFound : .notStarted(error.code))
        case .success(let child):
          let watch = ChildWatch(child.process) { continuation.resume(returning: $0) }
          watch.giveUp(after: patience, impatience)
          child.feed(input ?? [])
          watch.waitForEnd()
        }
      }
    }
  }

  private func start(_ program: String) -> Result<StartedChild, SpawnError> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var feeding: SocketPair?
    if input == nil {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    } else {
      guard let pair = SocketPair() else { return .failure(SpawnError(code: errno)) }
      posix_spawn_file_actions_adddup2(&actions, pair.far, STDIN_FILENO)
      feeding = pair
    }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Dispatch's threads block signals, and the program ignores SIGPIPE: a child inherits both.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which spawn.h declares only with _GNU_SOURCE: a Ctrl-C or a hangup of the
    // terminal is not for the child.
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession))

    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables = environment.map { $0.map { strdup($0) } + [nil] }
    defer { for variable in variables ?? [] { free(variable) } }
    var process: pid_t = 0
    let code =
      variables == nil
      ? posix_spawn(&process, program, &actions, &attributes, &words, environ)
      : posix_spawn(&process, program, &actions, &attributes, &words, &variables!)
    if let feeding { close(feeding.far) }
    guard code == 0 else {
      if let feeding { close(feeding.near) }
      return .failure(SpawnError(code: code))
    }
    return .success(StartedChild(process: process, input: feeding?.near))
  }
}

/// Why the system did not start a program: the error number.
private struct SpawnError: Error {
  let code: Int32
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
