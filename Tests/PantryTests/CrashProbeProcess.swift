import Foundation
import Glibc
import PandaTestSupport

/// A run of a probe that is killed.
final class CrashProbeProcess {
  private let process: ChildProcess
  private let pipe = ProgramPipe()
  private var output: Int32 { pipe.fileHandleForReading.fileDescriptor }
  private var text = Data()
  private let home = TemporaryDirectory()

  /// Starts `PantryCrashProbe`.
  convenience init(directory: String, generation: Int) throws {
    try self.init("PantryCrashProbe", [directory, "\(generation)"])
  }

  /// Starts a program that the build puts beside the tests.
  init(_ program: String, _ list: [String]) throws {
    process = try ChildProcess(
      BuildProducts.path(of: program), list, environment: ProgramEnvironment.inherited(home: home),
      output: .pipe(pipe), error: .inherited)
  }

  /// The complete lines that the probe has written so far.
  var lines: [String] {
    String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// Reads until the probe has written `count` lines; false if it ended before.
  func read(lines count: Int) -> Bool {
    while lines.count < count {
      guard readOnce() else { return false }
    }
    return true
  }

  /// Kills the probe and reads its output.
  func kill() {
    process.end()
    // Not to the end: another child that was just being started may hold the pipe open.
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    while readOnce() {}
  }

  /// Returns when the probe has ended.
  func wait() { process.waitForExit() }

  private func readOnce() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(output, &buffer, buffer.count)
    guard count > 0 else { return count == -1 && errno == EINTR }
    text.append(contentsOf: buffer[..<count])
    return true
  }
}
