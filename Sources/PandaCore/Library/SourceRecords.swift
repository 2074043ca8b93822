internal import FoundationEssentials
internal import Pantry

/// What the file on this machine has of sources: their answers, and the lists of services.
@MainActor
package final class SourceRecords {
  private(set) lazy var store = Store<SourceRecord>.loadingInBackground(
    storage: engine("SourceRecord"))
  /// The pictures that services have listed and that were not shown yet.
  private(set) lazy var candidates = Store<SourceCandidate>.loadingInBackground(
    storage: engine("SourceCandidate"))
  /// The positions in the services' lists.
  private(set) lazy var listings = Store<SourceListing>.loadingInBackground(
    storage: engine("SourceListing"))
  private let now: @Sendable () -> Date
  private let engine: (String) -> any StorageEngine

  init(now: @escaping @Sendable () -> Date, engine: @escaping (String) -> any StorageEngine) {
    self.now = now
    self.engine = engine
  }

  /// Waits until the records have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func haveLoaded() async throws { try await store.itemsHaveLoaded() }

  /// Returns the record of a source, by the name that pictures carry; observed.
  ///
  /// Nil before the records have been read.
  package subscript(_ name: String) -> SourceRecord? { store[name] }

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
  package func recordAnswer(of source: any ImageSource, failure: String? = nil) async throws {
    let record = SourceRecord(
      id: source.name, homePage: source.homePage, license: source.license,
      health: failure.map { .failing(since: now(), reason: $0) } ?? .answering(since: now()))
    try await store.merge([record]) { old, new in old.merged(with: new) }
  }
}
