package import Glibc
package import SystemSupport

/// Starts a program in a session of its own, where Ctrl-C and a hangup do not reach it.
///
/// - Parameters:
///   - path: the file that is run, without a shell.
///   - arguments: its name and its arguments.
///   - environment: `NAME=value` for each variable it has; nil gives it this process's.
///   - input: what it reads from; nil gives it /dev/null.
///   - output: what it writes to; nil gives it /dev/null, which its errors always go to.
/// - Returns: its process id; who starts it waits for it.
/// - Throws: why the system did not start it.
package func startProgram(
  _ path: String, _ arguments: [String], environment: [String]? = nil, input: Int32? = nil,
  output: Int32? = nil
) throws(SystemError) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (given, standard, mode) in [
    (input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY),
    (nil, STDERR_FILENO, O_WRONLY),
  ] {
    if let given {
      // The child's own copy stays open: dup2 clears the flag that closes it.
      posix_spawn_file_actions_adddup2(&actions, given, standard)
    } else {
      posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", mode, 0)
    }
  }

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // Dispatch's threads block signals, and the program ignores SIGPIPE: a child inherits both.
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  // POSIX_SPAWN_SETSID, which spawn.h declares only with _GNU_SOURCE.
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
    ? posix_spawn(&process, path, &actions, &attributes, &words, environ)
    : posix_spawn(&process, path, &actions, &attributes, &words, &variables!)
  guard code == 0 else { throw SystemError(code: code) }
  return process
}
