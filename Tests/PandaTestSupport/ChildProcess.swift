internal import CDescriptors
internal import Foundation
internal import Glibc
internal import SystemSupport

/// A program that runs beside a test, with pipes to it.
///
/// In place of Foundation's `Process`, which crashes now and then where more than a thousand
/// descriptors are open, as in a run of all tests: it copies whole directory entries of
/// `/proc/self/fd`, also from the end of their buffer (`findMaximumOpenFromProcSelfFD`).
public final class ChildProcess: Sendable {
  /// What one of the three standard descriptors of a program is.
  public enum Stream: Sendable {
    case inherited
    /// `/dev/null`.
    case null
    /// The program's end is closed in this process once the program runs.
    case pipe(ProgramPipe)
  }

  /// The process ID.
  public let identifier: Int32
  /// The exit status, or 128 and the signal; nil until it is queried after the end.
  private let status = Lock<Int32?>(nil)

  /// Starts a program.
  ///
  /// It inherits no other descriptors, and no signals that are blocked or ignored here.
  ///
  /// - Parameters:
  ///   - program: the path of the program, or its name in PATH.
  ///   - environment: all of its environment; nil for that of the tests.
  /// - Throws: `TestFailure`.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    input: Stream = .null, output: Stream = .null, error: Stream = .null
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, stream) in [input, output, error].enumerated() {
      let descriptor = Int32(descriptor)
      switch stream {
      case .inherited: break
      case .null: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      case .pipe(let pipe):
        let end = descriptor == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting
        posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, descriptor)
      }
    }
    panda_close_rest(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let variables = (environment ?? ProcessInfo.processInfo.environment)
      .map { "\($0.key)=\($0.value)" }
    var identifier: Int32 = 0
    let code = withCStrings([program] + arguments) { argv in
      withCStrings(variables) { envp in
        posix_spawnp(&identifier, program, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else { throw TestFailure("\(program) did not start: \(errorText(code)).") }
    self.identifier = identifier
    if case .pipe(let pipe) = input { try pipe.fileHandleForReading.close() }
    for case .pipe(let pipe) in [output, error] {
      // Both may be the same pipe.
      try? pipe.fileHandleForWriting.close()
    }
  }

  /// Whether the program has not ended.
  public var isRunning: Bool { reap() == nil }

  /// Sends a signal, unless the program has ended.
  public func send(_ signal: Int32) {
    // Not a process that has the same number since then.
    status.withLock { if $0 == nil { kill(identifier, signal) } }
  }

  /// Kills the program, and waits until it has ended.
  public func end() {
    send(SIGKILL)
    waitForExit()
  }

  /// Waits until the program has ended; returns its exit status, or 128 and the signal.
  ///
  /// It blocks the thread.
  @discardableResult
  public func waitForExit() -> Int32 {
    while true {
      if let status = reap() { return status }
      var information = siginfo_t()
      // It stays a zombie for `reap`, so that no other thread waits for another process.
      waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT)
    }
  }

  /// Returns the status if the program has ended.
  private func reap() -> Int32? {
    status.withLock { status in
      var code: Int32 = 0
      if status == nil, waitpid(identifier, &code, WNOHANG) == identifier {
        // The macros of wait(2), which Swift cannot see.
        status = code & 0x7F == 0 ? code >> 8 & 0xFF : 128 + code & 0x7F
      }
      return status
    }
  }
}
