internal import FoundationEssentials

/// What is remembered of a service's lists: where the next one begins, and when the last came.
struct SourceListing: Codable, Equatable, Identifiable, Sendable {
  /// The name of the service's description.
  let id: String
  /// Which of the description's addresses is next.
  var address = 0
  /// The number of its next page, where pages are counted.
  var page: Int?
  /// The parameters that continue the list, where the answer gave some.
  var parameters: [String: String] = [:]
  /// When lists were asked for, in the last hour.
  var askedAt: [Date] = []
  /// What the description was like; nil in the files of versions that did not ask.
  var fingerprint: String?

  /// Creates the beginning of all lists.
  init(id: String) { self.id = id }
}
