/// Tells how much of a picture has arrived.
public struct FetchProgress: Equatable, Sendable {
  /// The bytes received so far.
  public var bytesReceived: Int

  /// The bytes that were announced, if any were.
  ///
  /// An announcement may be wrong.
  public var expectedBytes: Int?

  /// Creates a progress.
  public init(bytesReceived: Int, expectedBytes: Int? = nil) {
    self.bytesReceived = bytesReceived
    self.expectedBytes = expectedBytes
  }
}
