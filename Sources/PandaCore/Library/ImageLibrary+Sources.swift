internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// What is known of a source, by the name that pictures give; observed.
  ///
  /// Nil before the records have been read.
  public func source(_ name: String) -> SourceRecord? { sources[name] }

  /// Notes how a source has answered.
  ///
  /// Written only when that is different from before, so that a source which goes on answering costs
  /// no write.
  ///
  /// - Parameter failure: why it did not; nil if it did.
  public func noteAnswer(of source: any ImageSource, failure: String? = nil) async throws {
    let record = SourceRecord(
      id: source.name, homePage: source.homePage, licence: source.licence,
      health: failure.map { .failing(since: now(), reason: $0) } ?? .answering(since: now()))
    try await sources.merge([record]) { old, new in old.merged(with: new) }
  }
}
