internal import CDescriptors
public import Foundation

/// A pipe to a program, which no other program inherits.
///
/// Programs inherit both ends of Foundation's `Pipe`. One that Panda itself starts meanwhile, such
/// as the browser of another test, would keep them open, and reading would not end before it does.
public final class ProgramPipe: Sendable {
  /// The end that is read from; it closes with the pipe.
  public let fileHandleForReading: FileHandle
  /// The end that is written to; it closes with the pipe.
  public let fileHandleForWriting: FileHandle

  /// Creates a pipe.
  ///
  /// Without descriptors a test cannot go on.
  public init() {
    var ends: [Int32] = [-1, -1]
    precondition(panda_pipe(&ends) == 0, "No pipe could be made.")
    fileHandleForReading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    fileHandleForWriting = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }
}
