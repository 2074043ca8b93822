/// Tells how much of a picture has arrived.
public struct FetchProgress: Equatable, Sendable {
  /// The bytes received so far.
  public var bytesReceived: Int

  /// The bytes that were announced, if any were.
  ///
  /// An announcement may be wrong.
  public var expectedBytes: Int?

  /// The name of the source that is being asked, where several take turns.
  public var source: String?

  /// Creates a progress.
  public init(bytesReceived: Int, expectedBytes: Int? = nil, source: String? = nil) {
    self.bytesReceived = bytesReceived
    self.expectedBytes = expectedBytes
    self.source = source
  }
}
