package import FoundationEssentials
package import Pantry

/// The favorites' trash, captions, tags and history.
extension ImagesController {
  /// Waits until the favorites have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func imagesHaveBeenRead() async throws { try await $images.itemsHaveLoaded() }

  /// Returns whether reading the favorites still waits after a second, since another program keeps
  /// their file locked.
  ///
  /// - Parameter clock: measures the wait.
  package func isWaitingForLock(clock: some Clock<Duration>) async -> Bool {
    await library.isWaitingForLock(clock: clock)
  }

  /// Waits until the newest favorites have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func excerptHasBeenRead() async throws { try await $images.excerptHasLoaded() }

  /// The number of favorites that could not be decoded; they are left on disk.
  package var unreadableCount: Int { unreadable.count }

  /// The favorites that could not be decoded, with the reasons.
  package var unreadable: [LoadIssue] { library.favorites.loadIssues }

  /// Waits for all operations, then empties the log.
  ///
  /// To be called once, at the end of the program.
  package func close() async { await library.close() }

  /// Why nothing is saved; nil if everything is.
  package var reasonNotSaved: StorageError? { library.reasonNotSaved }

  /// Why nothing that is stored can be shown; nil if it can.
  package var reasonNotReadable: StorageError? { library.reasonNotReadable }

  /// Returns how the favorites differ from those on disk; nothing if everything is saved.
  package func unsavedChanges() async -> UnsavedChanges { await library.unsavedChanges() }

  /// The user's name in a shared library; nil in one that is not shared.
  package var author: String? { library.author }

  /// Who else could read or replace the files of the favorites.
  package var exposure: LibraryExposure { library.exposure }

  /// Replaces a damaged file by one with all that can be read of it; nil if it is not damaged.
  ///
  /// - Throws: the engine's error; then the file is as it was.
  package func recover() async throws -> RecoveryReport? { try await library.recover() }

  /// Copies the rows beside the file, once a day if something has changed.
  ///
  /// - Returns: the new copy; nil if none was made.
  /// - Throws: the engine's error.
  @discardableResult
  package func backUp() async throws -> URL? { try await library.backUp() }

  // MARK: Trash

  /// The pictures in the trash, the last removed one at the end; observed.
  package var trashed: [TrashedImage] { library.trashed }

  /// Whether the trash has been read; observed.
  package var trashHasLoaded: Bool { library.trash.hasLoaded }

  /// Waits until the trash has been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func trashHasBeenRead() async throws { try await library.trash.itemsHaveLoaded() }

  /// Returns the trash entry with this picture's address; observed.
  package func trashed(_ id: String) -> TrashedImage? { library.trash[id] }

  /// Makes trashed pictures favorites again, in their former places.
  ///
  /// - Returns: how many of them were not yet favorites.
  @discardableResult
  package func restoreImages(_ entries: [TrashedImage]) async throws -> Int {
    try await library.restore(entries)
  }

  /// Deletes pictures that were in the trash for more than ``ImageLibrary/trashDays``.
  ///
  /// - Returns: how many.
  @discardableResult
  package func emptyTrash() async throws -> Int { try await library.emptyTrash() }

  /// Deletes pictures from the trash for good.
  ///
  /// - Returns: how many of them were in the trash.
  @discardableResult
  package func purgeImages(_ entries: [TrashedImage]) async throws -> Int {
    try await library.purge(entries)
  }

  // MARK: Many favorites

  /// Makes many pictures favorites, in one step that can be undone.
  ///
  /// - Parameter step: the identifier of the step; calls with the same one extend it.
  /// - Returns: those that were not yet favorites, as saved.
  @discardableResult
  package func saveImages(_ images: [RemoteImage], step: String) async throws -> [RemoteImage] {
    try await library.save(images, step: step)
  }

  /// Moves many favorites to the trash, in one step that can be undone.
  ///
  /// - Returns: how many of them were favorites.
  @discardableResult
  package func removeImages(_ images: [RemoteImage]) async throws -> Int {
    try await library.remove(images)
  }

  /// Returns the addresses of all favorites without loading them, the last saved one at the end.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func imageAddresses() async throws -> [String] {
    try await library.favorites.storage.allKeys().map(\.rawValue)
  }

  /// Returns the number of favorites without loading them.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func imageCount() async throws -> Int { try await library.favorites.storage.keyCount() }

  /// Reads one favorite without loading the others; nil if there is none with this address.
  ///
  /// - Throws: the engine's error if the storage cannot be read, ``LoadIssue`` if the row cannot.
  package func readImage(_ address: String) async throws -> RemoteImage? {
    try await ObjectStorage<RemoteImage>(storage: library.favorites.storage)
      .object(forKey: CacheKey(verbatim: address))
  }

  /// The changes of the favorites from now on; the first says that they have been read.
  package var imageEvents: AsyncStream<StoreEvent<RemoteImage>> { $images.events }

  // MARK: Captions and tags

  /// Changes a favorite's caption; an empty one removes it.
  package func setCaption(_ caption: String, of image: RemoteImage) async throws {
    try await library.setCaption(caption, of: image)
  }

  /// Changes the captions of favorites, in one step that can be undone; an empty one removes them.
  ///
  /// - Returns: how many had another caption.
  package func setCaption(_ caption: String, of images: [RemoteImage]) async throws -> Int {
    try await library.setCaption(caption, of: images)
  }

  /// Adds tags to favorites and takes tags away, in one step that can be undone.
  ///
  /// - Returns: how many had other tags.
  package func changeTags(_ change: TagEdit, of images: [RemoteImage]) async throws -> Int {
    try await library.changeTags(change, of: images)
  }

  /// Changes a favorite's tags.
  package func setTags(_ tags: [String], of image: RemoteImage) async throws {
    try await library.setTags(tags, of: image)
  }

  // MARK: Collections

  /// The collections by name; observed.
  package var collections: [SavedFilter] { library.collections }

  /// Whether the collections have been read; observed.
  package var collectionsHaveLoaded: Bool { library.savedFilters.hasLoaded }

  /// Waits until the collections have been read: see `ImageLibrary.collectionsHaveBeenRead`.
  ///
  /// - Throws: the engine's error.
  package func collectionsHaveBeenRead() async throws {
    try await library.collectionsHaveBeenRead()
  }

  /// Parses a filter, after reading the collections if it names one.
  ///
  /// - Throws: the engine's error if they cannot be read.
  package func filter(_ text: String, now: () -> Date) async throws -> FavoritesFilter {
    let filter = FavoritesFilter(text, collections: collections, now: now)
    guard filter.unknownCollection != nil else { return filter }
    try await collectionsHaveBeenRead()
    return FavoritesFilter(text, collections: collections, now: now)
  }

  // MARK: History

  /// Whether the history is known to have nothing to undo; observed.
  package var hasNothingToUndo: Bool { library.hasNothingToUndo }

  /// Whether the history is known to have nothing to redo; observed.
  package var hasNothingToRedo: Bool { library.hasNothingToRedo }

  /// Undoes the last change.
  ///
  /// - Returns: the change, or nil if there is none.
  package func undo() async throws -> UndoneChange? { try await library.undo() }

  /// Redoes the change that was undone last.
  ///
  /// - Returns: the change, or nil if there is none.
  package func redo() async throws -> UndoneChange? { try await library.redo() }
}

/// The pictures that were shown.
extension ImagesController {
  /// The last ``ImageLibrary/seenLimit`` pictures that were shown, the newest last; observed.
  package var seen: [SeenImage] { library.seen.items }

  /// Waits until the pictures that were shown have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func seenHaveBeenRead() async throws { try await library.seen.itemsHaveLoaded() }

  /// Returns the last shown picture that is not hidden, before the others have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func newestSeen() async throws -> RemoteImage? { try await library.newestSeen() }

  /// Returns when the picture was last shown, found by its address or its content; observed.
  package func lastSeen(_ image: RemoteImage) -> Date? { library.lastSeen(image) }

  /// The number of pictures that were shown; nil until it has been read; observed.
  package var seenCount: Int? { library.seenCount }

  /// Records that a picture is shown.
  ///
  /// - Parameter count: how many were shown, this one and those that were passed over.
  /// - Returns: when it was previously shown.
  @discardableResult
  package func noteSeen(_ image: RemoteImage, count: Int = 1) async throws -> Date? {
    try await library.noteSeen(image, count: count)
  }

  /// Returns the visible pictures that were shown before the given one, oldest first; observed.
  ///
  /// - Parameter image: nil for all pictures that were shown.
  package func seen(before image: RemoteImage?) -> [SeenImage] {
    let place = image.flatMap { image in seen.lastIndex { $0.id == image.id } } ?? seen.endIndex
    return seen[..<place].filter { !library.isKnownToBeHidden($0.image) }
  }

  /// Returns whether a picture was shown before the given one; observed.
  package func hasSeen(before image: RemoteImage?) -> Bool {
    let place = image.flatMap { image in seen.lastIndex { $0.id == image.id } } ?? seen.endIndex
    return seen[..<place].contains { !library.isKnownToBeHidden($0.image) }
  }

  /// Hides a picture for good, unless that is undone.
  package func hideImage(_ image: RemoteImage) async throws { try await library.hide(image) }

  /// Returns the record of a source, by the name that pictures carry; observed.
  package func sourceRecord(_ name: String) -> SourceRecord? { library.source(name) }
}

/// Exports, imports and backups.
extension ImagesController {
  /// Writes favorites to a directory, a tar archive or a web page: see `ImageLibrary.export`.
  ///
  /// - Parameters:
  ///   - images: the favorites; nil for all.
  ///   - heading: what they have in common, for the heading of a web page.
  ///   - withoutMetadata: whether files say nothing of place, camera and owner.
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`.
  package func exportImages(
    _ images: [RemoteImage]? = nil, to target: ExportTarget, heading: String? = nil,
    replacing: Bool, withoutMetadata: Bool = false,
    progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
  ) async throws -> ExportReport {
    try await library.export(
      images, to: target, heading: heading, replacing: replacing,
      withoutMetadata: withoutMetadata, progress: progress)
  }

  /// Adds the favorites of an export: see `ImageLibrary.importArchive`.
  ///
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`.
  package func importImages(
    from path: String, progress: @escaping @Sendable (ExchangeProgress) -> Void
  ) async throws -> ImportReport {
    try await library.importArchive(from: path, progress: progress)
  }

  /// Copies the file of the favorites, with trash and history: see `ImageLibrary.backup`.
  ///
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`.
  package func backUpAll(
    to path: String, replacing: Bool, progress: @escaping @Sendable (ExchangeProgress) -> Void
  ) async throws -> BackupReport {
    try await library.backup(to: path, replacing: replacing, progress: progress)
  }
}

/// A library that several machines share.
extension ImagesController {
  /// Whether the server of a shared library is reached; observed.
  ///
  /// A file always is.
  package var connection: StorageConnection { $images.connection }

  /// Whether the changes of others show within two seconds instead of at once, since a pooler is
  /// between.
  package var isPolled: Bool { get async { await library.isPolled } }

  /// The place of a shared library, such as `db.example/pandas`; nil if it is not shared.
  package var serverName: String? { library.serverName }

  /// Copies favorites, trash, hidden pictures and history from a library into another one.
  ///
  /// What is there already stays as it is, so that an interrupted copy can be repeated.
  ///
  /// - Parameters:
  ///   - source: nil for the library of this controller.
  ///   - target: nil for the library of this controller.
  ///   - progress: called after each picture.
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`.
  package func copyAll(
    from source: ImageLibrary?, to target: ImageLibrary?,
    progress: @escaping @Sendable (ExchangeProgress) -> Void
  ) async throws -> CopyReport {
    try await LibraryCopy(
      source: source ?? library, target: target ?? library, progress: progress
    ).run()
  }
}
