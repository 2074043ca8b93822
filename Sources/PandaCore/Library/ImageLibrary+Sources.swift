internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Returns the record of a source, by the name that pictures carry; observed.
  ///
  /// Nil before the records have been read.
  package func source(_ name: String) -> SourceRecord? { sources[name] }

  /// Waits until the records of sources have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func sourcesHaveLoaded() async throws { try await sources.itemsHaveLoaded() }

  /// Returns how many pictures listed by a service have not been shown yet.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func keptCount(of service: String) async throws -> Int {
    try await candidates.itemsHaveLoaded()
    return candidates.items.count { $0.source == service }
  }

  /// Records a source's answer.
  ///
  /// Writes only if the answer differs from the previous one, so that a source that keeps answering
  /// costs no write.
  ///
  /// - Parameter failure: why the request failed; nil if it succeeded.
  package func noteAnswer(of source: any ImageSource, failure: String? = nil) async throws {
    let record = SourceRecord(
      id: source.name, homePage: source.homePage, license: source.license,
      health: failure.map { .failing(since: now(), reason: $0) } ?? .answering(since: now()))
    try await sources.merge([record]) { old, new in old.merged(with: new) }
  }
}
