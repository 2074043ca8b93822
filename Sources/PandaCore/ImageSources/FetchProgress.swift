package struct FetchProgress: Equatable, Sendable {
  package var bytesReceived: Int

  /// The number of bytes announced, if any.
  ///
  /// It may be wrong.
  package var expectedBytes: Int?

  /// The name of the source being asked, if several take turns.
  package var source: String?

  package init(bytesReceived: Int, expectedBytes: Int? = nil, source: String? = nil) {
    self.bytesReceived = bytesReceived
    self.expectedBytes = expectedBytes
    self.source = source
  }
}
