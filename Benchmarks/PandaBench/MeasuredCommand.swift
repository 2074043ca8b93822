internal import Foundation

/// A completed command: its output, duration and peak memory.
struct MeasuredCommand {
  let output: Data
  let milliseconds: Double
  /// The peak memory in MB (10^6 bytes), from the last VmHWM seen in /proc; NaN unless watched.
  ///
  /// `ru_maxrss` is of no use: it starts at the memory of the process that started the command.
  let peakMegabytes: Double

  /// Runs a program found in PATH, with its output redirected to a file.
  ///
  /// - Parameter watchesMemory: whether to poll the memory continuously, which distorts the time.
  init(_ arguments: [String], in directory: URL, watchesMemory: Bool = false) throws {
    let file = directory.appending(path: "output").path(percentEncoded: false)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let argv = arguments.map { strdup($0) } + [nil]
    let variables = [
      "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")", "LANG=C.UTF-8",
      "TERM=xterm-256color", "COLORTERM=truecolor",
    ]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for pointer in argv + environment { free(pointer) } }
    var process: pid_t = 0
    let start = ContinuousClock.now
    let code = posix_spawnp(&process, arguments[0], &actions, nil, argv, environment)
    guard code == 0 else {
      throw BenchmarkFailure(description: "\(arguments[0]) did not start.")
    }
    var status: Int32 = 0
    var peak = Double.nan
    while watchesMemory, waitpid(process, &status, WNOHANG) == 0 {
      // Between its exit and the next poll the process has no memory to report.
      if let memory = try? ProcessMemory(of: process), memory.peak > 0 {
        peak = memory.peak
      }
    }
    if !watchesMemory { while waitpid(process, &status, 0) < 0 && errno == EINTR {} }
    milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    guard status == 0 else {
      throw BenchmarkFailure(description: "\(arguments.joined(separator: " ")) failed.")
    }
    peakMegabytes = peak
    output = try Data(contentsOf: URL(filePath: file))
  }

  /// Returns whether a program is installed.
  static func exists(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      access("\($0)/\(program)", X_OK) == 0
    }
  }
}
