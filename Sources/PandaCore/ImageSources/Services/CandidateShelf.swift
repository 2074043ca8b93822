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
    guard !fresh.isEmpty else {
      await drop(known)
      return nil
    }
    let chosen = fresh[random(0..<fresh.count)]
    await drop(known + [chosen])
    return chosen
  }

  /// Puts a candidate back that was taken and not fetched.
  func putBack(_ candidate: SourceCandidate) async { await add([candidate]) }

  /// Keeps the candidates that are new to the person, and where the next list begins.
  ///
  /// - Returns: how many are new, and those that were only seen before.
  @discardableResult
  func keep(
    _ candidates: [SourceCandidate], _ listing: SourceListing
  ) async -> (fresh: Int, seen: [SourceCandidate]) {
    listings[listing.id] = listing
    let (fresh, known) = await sorted(candidates)
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
