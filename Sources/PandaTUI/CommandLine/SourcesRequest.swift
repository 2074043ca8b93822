enum SourcesRequest: Hashable, Sendable {
  case list
  /// Tests one, by its name or by an address.
  case test(String)
  case set(String, isEnabled: Bool)
}
