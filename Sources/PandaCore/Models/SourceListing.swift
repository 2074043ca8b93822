internal import FoundationEssentials

/// The stored state of a service's lists: where the next one begins.
struct SourceListing: Codable, Equatable, Identifiable, Sendable {
  /// The name of the service's description.
  let id: String
  /// The index of the description's next address.
  var address = 0
  /// The number of its next page, if pages are counted.
  var page: Int?
  /// The parameters that continue the list, if the reply gave some.
  var parameters: [String: String] = [:]
  /// Whether the next list is one of the description's fallback; nil for no.
  var isFallback: Bool?
  /// The description's fingerprint; nil in files of versions that did not store it.
  var fingerprint: String?

  /// Whether no list has come yet.
  var isUntouched: Bool {
    address == 0 && page == nil && parameters.isEmpty && isFallback != true
  }

  init(id: String) { self.id = id }
}
