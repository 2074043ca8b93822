internal import Pantry

package struct CopyReport: Equatable, Sendable {
  package var copied = 0
  /// The favorites that were there already, and stay as they are.
  package var known = 0
  /// The pictures in the trash that were copied.
  package var trashed = 0
  package var collections = 0
  /// The addresses of pictures whose bytes cannot be read; they are not copied.
  package var unreadable: [String] = []
  /// The rows that cannot be decoded; they are not copied.
  package var undecodable = 0
}

/// Copies the stores of a library into another one, a few megabytes in a transaction.
///
/// Existing entries of the target stay, so an interrupted copy is completed by another one.
@MainActor
struct LibraryCopy {
  let source: ImageLibrary
  let target: ImageLibrary
  let progress: @Sendable (ExchangeProgress) -> Void

  /// The bytes and the number of rows of a transaction, about.
  private static let batch = (bytes: 8 << 20, rows: 500)

  func run() async throws -> CopyReport {
    if let reason = source.reasonNotReadable ?? target.reasonNotSaved { throw reason }
    for library in [source, target] {
      try await library.load()
      try await library.hidden.itemsHaveLoaded()
      try await library.collectionsHaveBeenRead()
    }
    guard !isSame else { throw ExchangeError(.sameLibrary, path: "") }
    var report = CopyReport(
      undecodable: source.favorites.loadIssues.count + source.trash.loadIssues.count
        + source.hidden.loadIssues.count + source.history.store.loadIssues.count
        + source.savedFilters.loadIssues.count)
    let total = source.favorites.items.count + source.trash.items.count
    let favorites = try await copy(source.favorites, to: target.favorites, of: total, from: 0) {
      $0.dataRepresentation
    }
    report.copied = favorites.added
    report.known = favorites.known
    let trash = try await copy(
      source.trash, to: target.trash, of: total, from: source.favorites.items.count
    ) { $0.image.dataRepresentation }
    report.trashed = trash.added
    report.unreadable = favorites.unreadable + trash.unreadable
    _ = try await copy(source.hidden, to: target.hidden) { _ in nil }
    report.collections = try await target.savedFilters.transaction { [source, target] t in
      target.add(source.collections, in: t)
    }
    try await copyHistory()
    return report
  }

  /// Copies the steps, unless the target has steps of its own, among which they have no place.
  private func copyHistory() async throws {
    let (from, to) = (source.history.store, target.history.store)
    guard to.items.allSatisfy({ from.contains(identifier: $0.id) }) else { return }
    _ = try await copy(from, to: to) { _ in nil }
  }

  private var isSame: Bool {
    source.favorites.storage.joint == target.favorites.storage.joint
  }

  private func copy<Item: Codable & Equatable & Identifiable & Sendable>(
    _ source: Store<Item>, to target: Store<Item>, of total: Int = 0, from start: Int = 0,
    attachment: (Item) -> Attachment?
  ) async throws -> (added: Int, known: Int, unreadable: [String]) where Item.ID == String {
    var (added, known, unreadable) = (0, 0, [String]())
    var (batch, bytes) = ([Item](), 0)
    func store() async throws {
      let new = batch
      (batch, bytes) = ([], 0)
      // Others may have added some meanwhile.
      let count = try await target.transaction { t in
        let missing = new.filter { !target.contains(identifier: $0.id) }
        t.add(missing, to: target)
        return missing.count
      }
      added += count
      known += new.count - count
    }
    for (index, item) in source.items.enumerated() {
      try Task.checkCancellation()
      if total > 0 { progress(ExchangeProgress(done: start + index + 1, total: total)) }
      guard !target.contains(identifier: item.id) else {
        known += 1
        continue
      }
      if let picture = attachment(item) {
        do {
          _ = try await picture.data()
        } catch StorageError.attachmentMissing, StorageError.attachmentDamaged {
          unreadable.append(item.id)
          continue
        }
        bytes += picture.byteCount
      }
      batch.append(item)
      if bytes >= Self.batch.bytes || batch.count >= Self.batch.rows { try await store() }
    }
    if !batch.isEmpty { try await store() }
    return (added, known, unreadable)
  }
}
