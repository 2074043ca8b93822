internal import Foundation
internal import Glibc

/// A run of one of the programs that the build puts beside the tests, which speaks in lines.
///
/// It is killed with the last reference to it.
public final class ProbeProcess: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let queue = DispatchQueue(label: "probe")
  private var text = Data()
  private let home: TemporaryDirectory

  /// Starts `program` with `arguments`.
  public convenience init(_ program: String, _ arguments: [String]) throws {
    try self.init(path: BuildProducts.path(of: program), arguments, home: TemporaryDirectory())
  }

  /// Starts the program at `path`, whose home directory is `home`.
  public init(path: String, _ arguments: [String], home: TemporaryDirectory) throws {
    self.home = home
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProgramEnvironment.inherited(home: home)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    if process.isRunning { kill() }
  }

  /// The next line that it prints; nil when it has ended.
  public func line() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.nextLine()) }
    }
  }

  /// Kills it.
  public func kill() { _ = Glibc.kill(process.processIdentifier, SIGKILL) }

  /// Gives it a line to read.
  public func write(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Returns when it has ended; whether it ended by itself, and well.
  public func hasSucceeded() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        self.process.waitUntilExit()
        let isWell = self.process.terminationReason == .exit && self.process.terminationStatus == 0
        continuation.resume(returning: isWell)
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
