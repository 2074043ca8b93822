package import FoundationEssentials

/// What is known of a source of pictures: who it is, and how it has been answering.
///
/// An entity of its own: pictures name their source, and whoever shows one looks here for the rest.
package struct SourceRecord: Codable, Equatable, Identifiable, Sendable {
  /// How a source has been answering; it changes only when it begins to answer, or stops.
  package enum Health: Codable, Equatable, Sendable {
    /// It has answered every time since.
    case answering(since: Date)
    /// It has not answered since, for the reason that was given first.
    case failing(since: Date, reason: String)
  }

  /// The name of the source, by which pictures refer to it.
  package let id: String
  /// Where a person reads about it.
  package var homePage: URL?
  /// Under which licence its pictures are, where they do not say so themselves.
  package var licence: String?
  /// Nil before it was asked.
  package var health: Health?

  /// Creates a record.
  package init(id: String, homePage: URL? = nil, licence: String? = nil, health: Health? = nil) {
    self.id = id
    self.homePage = homePage
    self.licence = licence
    self.health = health
  }

  /// What is kept of this record and one that says how the source has just answered: the moment and
  /// the reason of the first of the answers that are alike.
  func merged(with newer: SourceRecord) -> SourceRecord {
    var merged = newer
    switch (health, newer.health) {
    case (.answering, .answering), (.failing, .failing), (_, nil): merged.health = health
    default: break
    }
    return merged
  }
}
