/// What `panda sources` is asked to do.
enum SourcesRequest: Hashable, Sendable {
  /// List them with their health.
  case list
  /// Ask one, by its name or by the address of its answer.
  case test(String)
}
