/// Tells how much of a picture has arrived.
package struct FetchProgress: Equatable, Sendable {
  /// The bytes received so far.
  package var bytesReceived: Int

  /// The bytes that were announced, if any were.
  ///
  /// An announcement may be wrong.
  package var expectedBytes: Int?

  /// The name of the source that is being asked, where several take turns.
  package var source: String?

  /// Creates a progress.
  package init(bytesReceived: Int, expectedBytes: Int? = nil, source: String? = nil) {
    self.bytesReceived = bytesReceived
    self.expectedBytes = expectedBytes
    self.source = source
  }
}
