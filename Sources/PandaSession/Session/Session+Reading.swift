package import PandaCore
package import Pantry

/// How a session reads favorites, after recovering their file if it is damaged.
extension Session {
  /// Refuses what would show favorites that are only in the memory of this process.
  package func requireReadable() throws {
    if let reason = library.reasonNotReadable {
      throw CommandFailure(
        "\(StorageWords.unreadable): \(userMessage(for: reason)). \(StorageWords.remedy)",
        ExitStatus(for: reason), cause: reason)
    }
  }

  /// Waits until all favorites have been read.
  ///
  /// A damaged file is recovered first.
  package func load() async throws {
    try requireReadable()
    try await reading { try await controller.imagesHaveBeenRead() }
    let issues = library.favorites.loadIssues.count
    if issues > 0 { output.failOnce(CommandFailure(ActionWords.unreadable(issues), .failed)) }
  }

  /// Reads something of the favorites; if their file is damaged, after recovering it.
  package func reading<Result>(_ read: () async throws -> Result) async throws -> Result {
    var condition = LibraryCondition(retriesLocks: false)
    while true {
      do {
        return try await read()
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        let (notice, action) = condition.handle(.failed(error))
        if case .wasNotRecovered? = notice {
          throw CommandFailure(StorageWords.notRecovered, because: error)
        }
        guard action == .recover else {
          throw CommandFailure(StorageWords.unreadable, because: error)
        }
        let report = try await recover(after: Trouble(StorageWords.unreadable, error, at: now()))
        _ = condition.handle(.recovered(report))  // it is read again anyway
      }
    }
  }

  /// Recovers a damaged file, and says what was recovered.
  @discardableResult
  package func recover(after damage: Trouble) async throws -> RecoveryReport? {
    output.log.error(damage)
    do {
      guard let report = try await library.recover() else { return nil }
      output.log.notice(report)
      let recovered = Trouble(recovered: report, after: damage)
      output.recovered = recovered
      // Of a file with favorites, nothing that names one may be left.
      let status = report.isComplete && report.favorites.recovered > 0 ? ExitStatus.done : .failed
      output.fail(CommandFailure(recovered.sentence, status))
      return report
    } catch {
      throw CommandFailure(StorageWords.notRecovered, because: error)
    }
  }

  /// Returns the favorites that match a filter, at least one; they have been loaded.
  package func favorites(matching text: String) async throws -> [RemoteImage] {
    let filter = try await filter(text)
    var index = try await index(for: filter)
    if filter.findsSimilar { try await hashFavorites() }
    let images = filter.apply(
      to: controller.images, index: &index)
    guard !images.isEmpty else {
      throw CommandFailure(
        controller.images.isEmpty
          ? "There are no favorites" : "No favorite matches \(text.forMessage)", .notFound)
    }
    return images
  }

  /// Returns a filter whose words are known, and whose collections are there.
  package func filter(_ text: String) async throws -> FavoritesFilter {
    if let problem = FavoritesFilter.problem(in: text) { throw CommandFailure(problem, .usage) }
    let filter = try await reading { try await controller.library.filter(text, now: now) }
    if let unresolved = filter.unresolved { throw CommandFailure(unresolved) }
    return filter
  }

  /// Returns what a filter needs to know of favorites besides themselves.
  package func index(
    for filter: FavoritesFilter, beginning index: FavoritesIndex = FavoritesIndex()
  ) async throws -> FavoritesIndex {
    var index = index
    if filter.asksWhenSeen {
      try await loadSightings()
      index.lastSeen = controller.library.sightings.dates
    }
    return index
  }

  /// Loads the memory of favorites.
  package func loadSightings() async throws {
    try await reading { try await controller.library.sightings.haveLoaded() }
  }

  /// So many favorites are compared before anyone wonders what is going on.
  private static let comparedAtOnce = 2_000

  /// Makes all favorites comparable, for a filter that finds similar ones.
  package func hashFavorites() async throws {
    try await load()
    let count = controller.images.count
    if count >= Self.comparedAtOnce {
      output.showProgress("Comparing \(count) favorites with each other…")
    }
    defer { output.showProgress(nil) }
    do {
      try await controller.library.hasher.hashFavorites()
    } catch {
      throw CommandFailure("The favorites cannot be compared", because: error)
    }
  }
}
