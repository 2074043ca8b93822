internal import CDescriptors
internal import Glibc

/// Lets a handler wait until the test says so, instead of sleeping.
///
/// A pipe, so that a handler can poll it together with its connection: open means readable.
public final class Gate: Sendable {
  let descriptor: Int32
  private let writeEnd: Int32

  /// Creates a closed gate.
  public init() {
    var ends: [Int32] = [-1, -1]
    let result = panda_pipe(&ends)
    precondition(result == 0, "no pipe: errno \(errno)")
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Opens the gate for good and for all: the byte is never read.
  public func open() {
    let result = write(writeEnd, "!", 1)
    precondition(result == 1, "no write to a pipe: errno \(errno)")
  }
}
