package import FoundationEssentials

/// A source of pictures: its identity and its health.
///
/// A separate entity: pictures only name their source, and details are looked up here.
package struct SourceRecord: Codable, Equatable, Identifiable, Sendable {
  /// The health of a source; it changes only when the source starts or stops answering.
  package enum Health: Codable, Equatable, Sendable {
    case answering(since: Date)
    /// It has not answered since, for the first reason given.
    case failing(since: Date, reason: String)
  }

  /// The name of the source, by which pictures refer to it.
  package let id: String
  package var homePage: URL?
  /// The license of its pictures, if they do not have their own.
  package var license: String?
  /// The health; nil before the source was asked.
  package var health: Health?

  private enum CodingKeys: String, CodingKey {
    case id, homePage
    case license = "licence"
    case health
  }

  package init(id: String, homePage: URL? = nil, license: String? = nil, health: Health? = nil) {
    self.id = id
    self.homePage = homePage
    self.license = license
    self.health = health
  }

  /// Returns the record to keep when the source has just answered.
  ///
  /// Among consecutive answers of the same kind, the first one's time and reason are kept.
  func merged(with newer: SourceRecord) -> SourceRecord {
    var merged = newer
    switch (health, newer.health) {
    case (.answering, .answering), (.failing, .failing), (_, nil): merged.health = health
    default: break
    }
    return merged
  }
}
