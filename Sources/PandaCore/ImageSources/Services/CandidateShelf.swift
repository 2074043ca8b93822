internal import FoundationEssentials
internal import Pantry

/// Stores the pictures that services have named until they are shown, in the library's file.
///
/// A relaunch continues with them. If the file cannot be written, because the disk is full or
/// another program keeps it locked, the rest of a list is kept in memory.
@MainActor
final class CandidateShelf {
  private let library: ImageLibrary
  nonisolated let random: @Sendable (Range<Int>) -> Int
  /// Candidates that the store could not save.
  private var unsaved: [SourceCandidate] = []
  /// Candidates that were taken but could not be removed from the store.
  private var taken: Set<String> = []
  private var listings: [String: SourceListing] = [:]
  /// Candidates that could not be fetched, and were not named again since.
  private var failed: Set<String> = []
  /// Candidates already seen, for each service whose pictures have all been seen.
  private var again: [String: [SourceCandidate]] = [:]
  /// The displayed names of the services whose description was compared with that of the stored
  /// candidates.
  private var labels: [String: String] = [:]

  /// The authors and observations of what was taken, with the number of the last time.
  private var turns: [String: Int] = [:]
  private var turn = 0

  /// - Parameter random: chooses one of several candidates.
  nonisolated init(
    _ library: ImageLibrary,
    random: @escaping @Sendable (Range<Int>) -> Int = { Int.random(in: $0) }
  ) {
    self.library = library
    self.random = random
  }

  /// Takes a candidate of a service; nil if none is new to the user.
  ///
  /// It is one of those whose author and observation were shown longest ago: a series of one
  /// photographer does not fill an evening.
  ///
  /// Candidates that were favorited, hidden or seen in the meantime are dropped.
  func take(_ source: String) async -> SourceCandidate? {
    let (fresh, known) = await sorted(await all(of: source))
    let able = fresh.filter { !failed.contains($0.id) }
    guard !able.isEmpty else {
      await drop(known)
      return again[source]?.popLast()
    }
    let turns = lastTurns
    let ranked = able.map { candidate in
      (
        candidate: candidate,
        turn: Self.marks(of: candidate).map { turns[$0] ?? .min }.max() ?? .min
      )
    }
    let first = ranked.map(\.turn).min()
    let fair = ranked.filter { $0.turn == first }
    let chosen = fair[random(0..<fair.count)].candidate
    turn += 1
    for mark in Self.marks(of: chosen) { self.turns[mark] = turn }
    await drop(known + [chosen])
    return chosen
  }

  /// When each author and observation was shown last, also before the launch.
  private var lastTurns: [String: Int] {
    var last: [String: Int] = [:]
    for (place, entry) in library.seen.items.enumerated() {
      let (image, turn) = (entry.image, place - ImageLibrary.seenLimit)
      for mark in Self.marks(credit: image.credit, page: image.pageText) { last[mark] = turn }
    }
    return last.merging(turns) { $1 }
  }

  private static func marks(of candidate: SourceCandidate) -> [String] {
    marks(credit: candidate.credit, page: candidate.page?.absoluteString)
  }

  private static func marks(credit: String?, page: String?) -> [String] {
    [credit.map { "author \($0)" }, page.map { "page \($0)" }].compactMap(\.self)
  }

  func hasCandidate(_ source: String) async -> Bool {
    let (fresh, _) = await sorted(await all(of: source))
    return fresh.contains { !failed.contains($0.id) } || again[source]?.isEmpty == false
  }

  /// Puts back a candidate that was taken but not fetched.
  ///
  /// - Parameter hasFailed: whether fetching it failed, rather than being abandoned.
  func putBack(_ candidate: SourceCandidate, hasFailed: Bool) async {
    if hasFailed { failed.insert(candidate.id) }
    await add([candidate])
  }

  /// Lets candidates that could not be fetched be taken again.
  func forgetFailures() { failed = [] }

  /// Offers pictures that the user has already seen, until another list is requested.
  func offerAgain(_ candidates: [SourceCandidate]) async {
    guard let source = candidates.first?.source else { return }
    var ids: Set<String> = []
    again[source] = candidates.filter { ids.insert($0.id).inserted }.shuffled()
  }

  /// Discards candidates from a different version of a service's description.
  func begin(_ description: SourceDescription) async {
    let source = description.name
    guard labels.updateValue(description.label, forKey: source) == nil else { return }
    let former = await listing(source)
    let fingerprint = description.fingerprint
    guard former.fingerprint != fingerprint else { return }
    if former.fingerprint != nil { await drop(await all(of: source)) }
    var listing = SourceListing(id: source)
    listing.fingerprint = fingerprint
    listings[source] = listing
  }

  /// Stores the candidates that are new to the user, and where the next list begins.
  ///
  /// - Returns: the number of new candidates, and those that were merely seen before.
  @discardableResult
  func keep(
    _ candidates: [SourceCandidate], _ listing: SourceListing
  ) async -> (fresh: Int, seen: [SourceCandidate]) {
    listings[listing.id] = listing
    let (fresh, known) = await sorted(candidates)
    // Candidates that the service names again are retried.
    failed.subtract(fresh.map(\.id))
    await store(listing)
    await add(fresh)
    let seen = known.filter { candidate in
      let id = key(of: candidate)
      return !library.favorites.contains(identifier: id) && !library.hidden.contains(identifier: id)
    }
    return (fresh.count, seen)
  }

  private func store(_ listing: SourceListing) async {
    do {
      guard await library.canBeRead() else { return }
      if !listing.isUntouched || library.sources.listings[listing.id] != nil {
        try await library.sources.listings.add(listing)
      }
    } catch {
      // The next launch begins where this one did.
    }
  }

  func listing(_ source: String) async -> SourceListing {
    if let known = listings[source] { return known }
    do {
      if await library.canBeRead() { try await library.sources.listings.itemsHaveLoaded() }
    } catch {
      // Treated as a service that was never asked.
    }
    return library.sources.listings[source] ?? SourceListing(id: source)
  }

  func count(_ source: String) async -> Int { await all(of: source).count }

  /// Returns the key by which the library knows a candidate, or else its address.
  func key(of candidate: SourceCandidate) -> String {
    let address = candidate.picture.absoluteString
    guard candidate.identity != nil else { return address }
    let source = labels[candidate.source] ?? candidate.source
    return library.key(of: PictureTraits(candidate, source: source)) ?? address
  }

  // MARK: The store

  private func all(of source: String) async -> [SourceCandidate] {
    do {
      if await library.canBeRead() { try await library.sources.candidates.itemsHaveLoaded() }
    } catch {
      // The stored candidates cannot be read: only those in memory are used.
    }
    return (library.sources.candidates.items + unsaved).filter {
      $0.source == source && !taken.contains($0.id)
    }
  }

  private func add(_ candidates: [SourceCandidate]) async {
    guard !candidates.isEmpty else { return }
    for candidate in candidates { taken.remove(candidate.id) }
    guard await library.canBeRead() else {
      unsaved += candidates
      return
    }
    do {
      try await library.sources.candidates.add(candidates)
    } catch {
      unsaved += candidates
    }
  }

  private func drop(_ candidates: [SourceCandidate]) async {
    guard !candidates.isEmpty else { return }
    let ids = Set(candidates.map(\.id))
    unsaved.removeAll { ids.contains($0.id) }
    // Taken from this moment on, even for callers during the write to the store.
    taken.formUnion(ids)
    guard await library.canBeRead() else { return }
    do {
      try await library.sources.candidates.remove(candidates)
      taken.subtract(ids)
    } catch {
      // They come back after a relaunch.
    }
  }

  /// Separates out pictures that the user knows: favorites, hidden and seen ones.
  private func sorted(
    _ candidates: [SourceCandidate]
  ) async -> (fresh: [SourceCandidate], known: [SourceCandidate]) {
    guard !candidates.isEmpty else { return ([], []) }
    await library.knownPicturesHaveLoaded()
    var fresh: [SourceCandidate] = []
    var known: [SourceCandidate] = []
    for candidate in candidates {
      let id = key(of: candidate)
      let isKnown =
        library.favorites.contains(identifier: id) || library.hidden.contains(identifier: id)
        || library.seen.contains(identifier: id)
      if isKnown { known.append(candidate) } else { fresh.append(candidate) }
    }
    return (fresh, known)
  }
}
