internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// What is known of a source, by the name that pictures give; observed.
  ///
  /// Nil before the records have been read.
  package func source(_ name: String) -> SourceRecord? { sources[name] }

  /// Returns when it has been read what is known of sources.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func sourcesHaveLoaded() async throws { try await sources.itemsHaveLoaded() }

  /// How many pictures a service has named that were not shown yet.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func keptCount(of service: String) async throws -> Int {
    try await candidates.itemsHaveLoaded()
    return candidates.items.count { $0.source == service }
  }

  /// Notes how a source has answered.
  ///
  /// Written only when that is different from before, so that a source which goes on answering costs
  /// no write.
  ///
  /// - Parameter failure: why it did not; nil if it did.
  package func noteAnswer(of source: any ImageSource, failure: String? = nil) async throws {
    let record = SourceRecord(
      id: source.name, homePage: source.homePage, license: source.license,
      health: failure.map { .failing(since: now(), reason: $0) } ?? .answering(since: now()))
    try await sources.merge([record]) { old, new in old.merged(with: new) }
  }
}
