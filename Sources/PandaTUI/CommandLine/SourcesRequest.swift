/// A request of `panda sources`.
enum SourcesRequest: Hashable, Sendable {
  /// Lists all sources with their health.
  case list
  /// Tests one, by its name or by an address.
  case test(String)
}
