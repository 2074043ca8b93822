internal import CDescriptors
internal import Glibc

/// A program that is run to its end.
public enum Subprocess {
  /// What a program left behind.
  public struct Result: Sendable {
    /// The exit status.
    public let status: Int32
    /// Both outputs, as they came.
    public let output: String
  }

  /// Runs a program found in PATH, and returns its exit status and what it printed to both outputs.
  ///
  /// It has a home directory of its own, unless `environment` names one.
  ///
  /// - Throws: `TestFailure` when it does not start or has not ended after a minute.
  public static func run(_ arguments: [String], environment: [String]) throws -> Result {
    let (environment, home) = ProgramEnvironment.isolated(environment, home: TemporaryDirectory())
    defer { withExtendedLifetime(home) {} }
    var ends: [Int32] = [0, 0]
    guard panda_pipe(&ends) == 0 else { throw TestFailure("No pipe: \(errorText(errno)).") }
    defer { close(ends[0]) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    panda_close_rest(&actions)
    // Dispatch's threads block signals, and a program would inherit that: a tmux that never sees
    // SIGCHLD never learns how its programs ended.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    let code = withCStrings(arguments) { argv in
      withCStrings(environment) { envp in
        posix_spawnp(&process, arguments[0], &actions, &attributes, argv, envp)
      }
    }
    close(ends[1])
    guard code == 0 else {
      throw TestFailure("\(arguments[0]) did not start: \(errorText(code)).")
    }

    let output = readToEnd(ends[0], deadline: .seconds(60))
    if output == nil { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard let output else { throw TestFailure("\(arguments) has not ended after a minute.") }
    return Result(
      status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F,
      output: String(decoding: output, as: UTF8.self))
  }

  private static func readToEnd(_ descriptor: Int32, deadline: Duration) -> [UInt8]? {
    let end = ContinuousClock.now + deadline
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while ContinuousClock.now < end {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 1000) > 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return output }
      if count > 0 { output += buffer.prefix(count) }
    }
    return nil
  }
}
