/// A request of `panda sources`.
enum SourcesRequest: Hashable, Sendable {
  /// Lists all sources with their health.
  case list
  /// Tests one, by its name or by an address.
  case test(String)
  /// Switches one on or off, by its name.
  case set(String, isEnabled: Bool)
}
