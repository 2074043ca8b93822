internal import Foundation
internal import Glibc

/// A run of one of the programs that the build puts beside the tests, which speaks in lines.
///
/// It is killed with the last reference to it.
public final class ProbeProcess: @unchecked Sendable {
  private let process: ChildProcess
  private let input = ProgramPipe()
  private let output = ProgramPipe()
  private let queue = DispatchQueue(label: "probe")
  private var text = Data()
  private let home: TemporaryDirectory

  /// Starts `program` with `arguments`, and variables, `NAME=value`, besides those it inherits.
  public convenience init(
    _ program: String, _ arguments: [String], environment: [String] = []
  ) throws {
    try self.init(
      path: BuildProducts.path(of: program), arguments, home: TemporaryDirectory(),
      environment: environment)
  }

  /// Starts the program at `path`, whose home directory is `home`.
  public init(
    path: String, _ arguments: [String], home: TemporaryDirectory, environment: [String] = []
  ) throws {
    self.home = home
    process = try ChildProcess(
      path, arguments,
      environment: ProgramEnvironment.inherited(home: home, environment), input: .pipe(input),
      output: .pipe(output), error: .inherited)
  }

  deinit {
    process.end()
  }

  /// The next line that it prints; nil when it has ended.
  public func line() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.nextLine()) }
    }
  }

  /// Reads lines, and acts as soon as the last one was printed, whatever other tests do meanwhile.
  public func lines(
    _ count: Int, then action: @escaping @Sendable () throws -> Void
  ) async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            let lines = (0..<count).compactMap { _ in self.nextLine() }
            try action()
            return lines
          })
      }
    }
  }

  /// Kills it.
  public func kill() { process.send(SIGKILL) }

  /// Asks it to end.
  public func terminate() { process.send(SIGTERM) }

  /// Gives it a line to read.
  public func write(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Returns when it has ended; whether it ended by itself, and well.
  public func hasSucceeded() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: self.process.waitForExit() == 0)
      }
    }
  }

  private func nextLine() -> String? {
    while true {
      if let end = text.firstIndex(of: 10) {
        defer { text.removeSubrange(...end) }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      text.append(more)
    }
  }
}
