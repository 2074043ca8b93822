internal import Foundation

/// A directory for what commands remember, cache and keep.
struct CommandHome {
  let url = FileManager.default.temporaryDirectory.appending(path: "panda-bench-\(UUID())")

  func remove() {
    // What is left is in a directory for temporary files.
    try? FileManager.default.removeItem(at: url)
  }

  /// The times at which a command started, printed its first and last bytes, and ended.
  struct Moments {
    let start: ContinuousClock.Instant
    let first: ContinuousClock.Instant
    let last: ContinuousClock.Instant
    let end: ContinuousClock.Instant

    /// The milliseconds from the start to one of the other moments.
    func milliseconds(to moment: KeyPath<Moments, ContinuousClock.Instant>) -> Double {
      (self[keyPath: moment] - start) / .milliseconds(1)
    }
  }

  /// Runs a command to its end, which must be a success with output to `descriptor`.
  func run(_ arguments: [String], reading descriptor: Int32 = STDOUT_FILENO) throws -> Moments {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchmarkFailure(description: "There is no pipe.") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addclose(&actions, ends[0])
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      if stream == descriptor {
        posix_spawn_file_actions_adddup2(&actions, ends[1], stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
      }
    }
    let argv = arguments.map { strdup($0) } + [nil]
    let variables = [
      "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=\(url.path)",
      "XDG_STATE_HOME=\(url.path)/state",
      "XDG_CACHE_HOME=\(url.path)/cache",
    ]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for pointer in argv + environment { free(pointer) } }
    var process: pid_t = 0
    let start = ContinuousClock.now
    let code = posix_spawn(&process, arguments[0], &actions, nil, argv, environment)
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw BenchmarkFailure(description: "\(arguments[0]) did not start.") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var first: ContinuousClock.Instant?
    var last = start
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count <= 0 { break }
      last = .now
      first = first ?? last
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0, let first else {
      throw BenchmarkFailure(description: "\(arguments.joined(separator: " ")) failed.")
    }
    return Moments(start: start, first: first, last: last, end: .now)
  }
}
