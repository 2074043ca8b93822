package import FoundationEssentials
package import Pantry

/// Reads single favorites of a library without loading all of them, and chooses among all.
///
/// Of a library that is not opened, nothing is created, upgraded or recovered, and no lock is
/// waited for: each call throws instead.
package struct FavoritesReader: Sendable {
  private let favorites: ObjectStorage<RemoteImage>
  private let sightings: ObjectStorage<Sighting>
  /// Opens what ``record(_:at:)`` writes to.
  private let openSightings: @Sendable () -> any StorageEngine
  private let index: CacheFiles
  private let name: String

  /// Reads the file in a directory, which need not exist.
  ///
  /// - Parameters:
  ///   - index: the directory of the file with what is chosen from.
  ///   - name: distinguishes libraries in it.
  package init(in directory: StorageDirectory, index: StorageDirectory, named name: String) {
    let engine = { @Sendable (namespace: String, isReadOnly: Bool) in
      SQLiteStorageEngine.withoutWaiting(
        directory: directory, databaseFilename: StorageDirectory.libraryFile,
        namespace: namespace, readOnly: isReadOnly)
    }
    self.init(
      favorites: engine(RemoteImage.namespace, true), sightings: engine("Sighting", true),
      index, name
    ) { engine("Sighting", false) }
  }

  /// Reads a library that is open, or is opened by that.
  @MainActor
  package init(of library: ImageLibrary, index: StorageDirectory, named name: String) {
    let sightings = library.localEngine("Sighting")
    self.init(favorites: library.favorites.storage, sightings: sightings, index, name) {
      sightings
    }
  }

  private init(
    favorites: any StorageEngine, sightings: any StorageEngine, _ index: StorageDirectory,
    _ name: String, openSightings: @escaping @Sendable () -> any StorageEngine
  ) {
    self.favorites = ObjectStorage(storage: favorites, upgrades: RemoteImage.upgrades)
    self.sightings = ObjectStorage(storage: sightings)
    self.openSightings = openSightings
    self.index = CacheFiles(directory: index.url)
    self.name = PictureID(address: name).digits
  }

  package func count() async throws -> Int { try await favorites.storage.keyCount() }

  /// Returns a favorite by its address; nil if there is none, or it is damaged.
  package func favorite(_ address: String) async throws -> RemoteImage? {
    try await readable([CacheKey(verbatim: address)], in: favorites).first
  }

  /// Returns when a favorite was last seen on this machine; nil if it never was.
  package func lastSeen(_ image: RemoteImage) async throws -> Date? {
    try await readable([CacheKey(verbatim: image.id)], in: sightings).first?.lastSeenAt
  }

  /// Returns those rows that there are and that are not damaged: one hides no other.
  ///
  /// - Throws: the engine's error, such as that of a lock: then nothing is known of any row.
  private func readable<Object>(
    _ keys: [CacheKey], in storage: ObjectStorage<Object>
  ) async throws -> [Object] {
    do {
      return try await storage.objects(forKeys: keys)
    } catch is LoadIssue where keys.count > 1 {
      var objects: [Object] = []
      for key in keys { objects += try await readable([key], in: storage) }
      return objects
    } catch is LoadIssue {
      return []
    }
  }

  /// Returns all favorites that can be read.
  @MainActor
  private func all() async throws -> [RemoteImage] {
    let store = Store<RemoteImage>.images(on: favorites.storage)
    store.leavesCoresFree = false
    try await store.itemsHaveLoaded()
    return store.items
  }

  // MARK: Choosing

  package struct Choice: Sendable {
    package let image: RemoteImage
    /// What it was chosen from now; nil if it was chosen earlier on this day.
    let index: ChoiceIndex?
  }

  /// Chooses a favorite by the rule of ``FavoriteQueue``; nil if there is none.
  ///
  /// - Parameter day: prefers those that were kept on this day of an earlier year; nil for any.
  /// - Complexity: reads what is new since the last choice, and all favorites at the first one.
  package func choose(
    on day: CalendarDay?, using generator: inout some RandomNumberGenerator
  ) async throws -> Choice? {
    var current = index.read(name).flatMap { ChoiceIndex($0) } ?? ChoiceIndex()
    let turns = try await updateTurns(of: &current)
    try await update(&current)
    var queue = FavoriteQueue(
      current.entries(on: day), turn: turns.count,
      last: turns.last.flatMap { current.place(of: $0) }.map { current[$0].traits })
    while let entry = queue.next(using: &generator) {
      // Another program may have removed it since, or it is damaged: then it is another one's turn.
      guard let image = try await favorite(current[entry.place].address) else { continue }
      return Choice(image: image, index: current)
    }
    return nil
  }

  /// Keeps what a choice was made from for the next one; without it, that reads all favorites.
  package func keepIndex(of choice: Choice) {
    if let new = choice.index { _ = try? index.write(new.data, name) }  // else the next reads all
  }

  /// The number of rows that are read to find out what is new.
  private static let page = 64
  /// From so many on, reading all favorites is faster than reading single ones.
  private static let fewMissing = 1_000

  /// Adds the favorites that are new, and takes those away that are gone.
  private func update(_ index: inout ChoiceIndex) async throws {
    if index.count > 0, case let last = index[index.count - 1].address,
      let newest = try await favorites.storage.newestPage(limit: Self.page)?.rows,
      let place = newest.lastIndex(where: { $0.key.rawValue == last })
    {
      for row in try await rows(of: newest[(place + 1)...].map(\.key)) { index.append(row) }
      guard try await count() != index.count else { return }
    }
    let keys = try await favorites.storage.allKeys()
    var known = Dictionary(index.rows.map { ($0.address, $0) }) { $1 }
    for row in try await rows(of: keys.filter { known[$0.rawValue] == nil }) {
      known[row.address] = row
    }
    index = ChoiceIndex(keys.compactMap { known[$0.rawValue] })
  }

  /// Returns the rows of favorites, without those that cannot be read.
  private func rows(of keys: [CacheKey]) async throws -> [ChoiceIndex.Row] {
    let images: [RemoteImage]
    if keys.count > Self.fewMissing {
      let missing = Set(keys.map(\.rawValue))
      images = try await all().filter { missing.contains($0.id) }
    } else {
      images = try await readable(keys, in: favorites)
    }
    let seen = try await readable(keys, in: sightings)
    let turns = Dictionary(seen.map { ($0.id, $0.turn) }) { $1 }
    return images.map { ChoiceIndex.Row($0, turn: turns[$0.id] ?? 0) }
  }

  /// Takes over when favorites were seen since the last choice.
  ///
  /// - Returns: the number of choices so far, and the favorite that was seen last.
  private func updateTurns(
    of index: inout ChoiceIndex
  ) async throws -> (count: Int, last: String?) {
    // Most often one is new since the last choice.
    var limit = 4
    while true {
      guard let newest = try await sightings.storage.newestPage(limit: limit) else {
        return (0, nil)
      }
      let seen = try await readable(newest.rows.map(\.key), in: sightings)
      guard let last = seen.last else { return (0, nil) }
      for sighting in seen.reversed() {
        guard let place = index.place(of: sighting.id) else { continue }
        // All before it are known; of those since the last choice, any may be new.
        if Int(index[place].turn) == sighting.turn, sighting.turn < last.turn {
          return (last.turn, last.id)
        }
        index.set(turn: sighting.turn, at: place)
      }
      if newest.rows.count == newest.count { return (last.turn, last.id) }
      limit *= 16
    }
  }

  // MARK: Seeing

  /// Records that a favorite was seen, in the memory of this machine.
  ///
  /// - Throws: the engine's error, also if another program keeps the file locked and the library is
  ///   not open.
  package func record(_ choice: Choice, at moment: Date) async throws {
    let image = choice.image
    let storage = openSightings()
    let sightings = ObjectStorage<Sighting>(storage: storage)
    let key = CacheKey(verbatim: image.id)
    let former = try await readable([key], in: sightings).first
    // More than one, since the newest may be damaged.
    let newest = try await storage.newestPage(limit: 8)?.rows.map(\.key) ?? []
    let turn = try await readable(newest, in: sightings).last?.turn ?? 0
    let next = max(1, choice.index == nil ? turn : turn + 1)
    let row = JSONValue(members: [
      "id": JSONValue(text: image.id),
      "lastSeenAt": JSONValue(number: Int(moment.timeIntervalSinceReferenceDate)),
      "count": JSONValue(number: (former?.count ?? 0) + 1), "turn": JSONValue(number: next),
    ])
    // Removed and written again, because the rows are in the order of seeing.
    try await storage.commit([
      .remove(key: key), .write(Data("\(row)".utf8), key: key),
    ])
  }
}

extension FavoritesReader.Choice {
  /// One that was chosen before.
  package init(_ image: RemoteImage) { self.init(image: image, index: nil) }
}
