internal import Foundation
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
  /// - Throws: `TestFailure` when it does not start or has not ended after four minutes.
  public static func run(_ arguments: [String], environment: [String]) throws -> Result {
    let (variables, home) = ProgramEnvironment.isolated(environment, home: TemporaryDirectory())
    defer { withExtendedLifetime(home) {} }
    let pipe = ProgramPipe()
    let program = try ChildProcess(
      arguments[0], Array(arguments.dropFirst()),
      environment: ProgramEnvironment.dictionary(variables), output: .pipe(pipe),
      error: .pipe(pipe))
    let output = readToEnd(pipe.fileHandleForReading.fileDescriptor, deadline: .seconds(240))
    guard let output else {
      program.end()
      throw TestFailure("\(arguments) has not ended after four minutes.")
    }
    return Result(
      status: program.waitForExit(), output: String(decoding: output, as: UTF8.self))
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
