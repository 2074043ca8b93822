internal import FoundationEssentials
internal import Pantry

/// Keeps what services have named until it is shown, in the library's file.
///
/// A relaunch goes on with what is there. Where the file cannot be written, for a full disk or for
/// a directory that is read-only, it keeps the rest of a list in memory.
@MainActor
final class CandidateShelf {
  private let library: ImageLibrary
  private let random: @Sendable (Range<Int>) -> Int
  /// What the store could not take.
  private var unsaved: [SourceCandidate] = []
  /// What was taken, and could not be removed from the store.
  private var taken: Set<String> = []
  private var listings: [String: SourceListing] = [:]
  /// What could not be fetched, and was not named again since.
  private var troubled: Set<String> = []
  /// What was seen before, of each service all of whose pictures were.
  private var again: [String: [SourceCandidate]] = [:]
  /// The services whose description was compared with the one that the candidates came from.
  private var begun: Set<String> = []

  /// - Parameter random: chooses one of several candidates.
  nonisolated init(
    _ library: ImageLibrary,
    random: @escaping @Sendable (Range<Int>) -> Int = { Int.random(in: $0) }
  ) {
    self.library = library
    self.random = random
  }

  /// Takes a candidate of a service; nil if there is none that is new to the person.
  ///
  /// Those that were favorited, hidden or seen meanwhile are dropped.
  func take(_ source: String) async -> SourceCandidate? {
    let (fresh, known) = await sorted(await all(of: source))
    let able = fresh.filter { !troubled.contains($0.id) }
    guard !able.isEmpty else {
      await drop(known)
      return again[source]?.popLast()
    }
    let chosen = able[random(0..<able.count)]
    await drop(known + [chosen])
    return chosen
  }

  /// Whether ``take(_:)`` would find something.
  func hasCandidate(_ source: String) async -> Bool {
    let (fresh, _) = await sorted(await all(of: source))
    return fresh.contains { !troubled.contains($0.id) } || again[source]?.isEmpty == false
  }

  /// Puts a candidate back that was taken and not fetched.
  ///
  /// - Parameter hasFailed: whether fetching it failed, and was not only given up.
  func putBack(_ candidate: SourceCandidate, hasFailed: Bool) async {
    if hasFailed { troubled.insert(candidate.id) }
    await add([candidate])
  }

  /// Offers pictures that the person has seen, until another list is asked for.
  func offerAgain(_ candidates: [SourceCandidate]) async {
    guard let source = candidates.first?.source else { return }
    var ids: Set<String> = []
    again[source] = candidates.filter { ids.insert($0.id).inserted }.shuffled()
  }

  /// Forgets what a service named while it was described otherwise.
  func begin(_ description: SourceDescription) async {
    let source = description.name
    guard begun.insert(source).inserted else { return }
    let former = await listing(source)
    let fingerprint = description.fingerprint
    guard former.fingerprint != fingerprint else { return }
    if former.fingerprint != nil { await drop(await all(of: source)) }
    var listing = SourceListing(id: source)
    listing.askedAt = former.askedAt
    listing.fingerprint = fingerprint
    listings[source] = listing
  }

  /// Keeps the candidates that are new to the person, and where the next list begins.
  ///
  /// - Returns: how many are new, and those that were only seen before.
  @discardableResult
  func keep(
    _ candidates: [SourceCandidate], _ listing: SourceListing
  ) async -> (fresh: Int, seen: [SourceCandidate]) {
    listings[listing.id] = listing
    let (fresh, known) = await sorted(candidates)
    // What the service names again is tried again.
    troubled.subtract(fresh.map(\.id))
    do {
      try await library.listings.add(listing)
    } catch {
      // The next launch begins where this one did.
    }
    await add(fresh)
    let seen = known.filter { candidate in
      let id = candidate.picture.absoluteString
      return !library.favorites.contains(identifier: id) && !library.hidden.contains(identifier: id)
    }
    return (fresh.count, seen)
  }

  /// What is remembered of a service's lists.
  func listing(_ source: String) async -> SourceListing {
    if let known = listings[source] { return known }
    do {
      try await library.listings.itemsHaveLoaded()
    } catch {
      // As for a service that was never asked.
    }
    return library.listings[source] ?? SourceListing(id: source)
  }

  /// How many candidates of a service are there.
  func count(_ source: String) async -> Int { await all(of: source).count }

  // MARK: The store

  private func all(of source: String) async -> [SourceCandidate] {
    do {
      try await library.candidates.itemsHaveLoaded()
    } catch {
      // What is kept cannot be read: there is what is in memory.
    }
    return (library.candidates.items + unsaved).filter {
      $0.source == source && !taken.contains($0.id)
    }
  }

  private func add(_ candidates: [SourceCandidate]) async {
    guard !candidates.isEmpty else { return }
    for candidate in candidates { taken.remove(candidate.id) }
    do {
      try await library.candidates.add(candidates)
    } catch {
      unsaved += candidates
    }
  }

  private func drop(_ candidates: [SourceCandidate]) async {
    guard !candidates.isEmpty else { return }
    let ids = Set(candidates.map(\.id))
    unsaved.removeAll { ids.contains($0.id) }
    // Taken from this moment on, also for who asks while the store is being written.
    taken.formUnion(ids)
    do {
      try await library.candidates.remove(candidates)
      taken.subtract(ids)
    } catch {
      // They come again after a relaunch.
    }
  }

  /// Sorts out what the person knows: favorites, what is hidden, what was seen.
  private func sorted(
    _ candidates: [SourceCandidate]
  ) async -> (fresh: [SourceCandidate], known: [SourceCandidate]) {
    guard !candidates.isEmpty else { return ([], []) }
    do {
      try await library.hidden.itemsHaveLoaded()
      try await library.seen.itemsHaveLoaded()
    } catch {
      // A panda that was seen is better than none; what is hidden is looked for again when it came.
    }
    var fresh: [SourceCandidate] = []
    var known: [SourceCandidate] = []
    for candidate in candidates {
      let id = candidate.picture.absoluteString
      let isKnown =
        library.favorites.contains(identifier: id) || library.hidden.contains(identifier: id)
        || library.seen.contains(identifier: id)
      if isKnown { known.append(candidate) } else { fresh.append(candidate) }
    }
    return (fresh, known)
  }
}
