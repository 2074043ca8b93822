import Foundation
import SystemSupport
import PandaCore
import PandaTestSupport

@testable import PandaSession

/// A log in a directory, and what has been written to it.
struct WrittenLog {
  let file: LogFile
  /// The failures, as the screen receives them.
  let failureStream: AsyncStream<FileError>
  private let failed = Failures()

  private final class Failures: Sendable {
    let all = Lock<[FileError]>([])
  }

  init(in directory: URL, limit: Int = LogFile.standardLimit) {
    let (stream, continuation) = AsyncStream.makeStream(of: FileError.self)
    failureStream = stream
    file = LogFile(in: directory, limit: limit) { [failed] error in
      failed.all.withLock { $0.append(error) }
      continuation.yield(error)
    }
  }

  var log: Log { file.log }

  /// The failures that were reported.
  var failures: [FileError] { failed.all.withLock(\.self) }

  /// The lines of the file; none if there is no file.
  var lines: [String] {
    guard let data = FileManager.default.contents(atPath: file.path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Waits for a line with all these parts, and returns it.
  @discardableResult
  func expect(_ parts: String...) async throws -> String {
    do {
      try await eventually("\(parts) in the log") { line(with: parts) != nil }
    } catch {
      throw TestFailure("\(error); the log is\n\(lines.joined(separator: "\n"))")
    }
    return line(with: parts) ?? ""
  }

  private func line(with parts: [String]) -> String? {
    lines.first { line in parts.allSatisfy(line.contains) }
  }
}
