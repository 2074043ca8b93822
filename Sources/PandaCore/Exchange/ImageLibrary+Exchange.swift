package import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Writes favorites to a directory or a web page.
  ///
  /// Nothing incomplete gets the final name: what fails or is canceled leaves what was there. An
  /// earlier export in the same place is replaced; anything else only if that is allowed. In a
  /// directory, pictures that are there already are not written again, and those of an earlier
  /// export that are favorites no more are removed; other files stay as they are.
  ///
  /// Favorites whose bytes cannot be read, or are no picture, are left out and reported; in a
  /// directory, what an earlier export has of them stays. A picture at a time is in memory.
  ///
  /// - Parameters:
  ///   - images: the favorites to export, in their order; nil for all, with the collections.
  ///   - target: the form and the place.
  ///   - heading: the heading of a web page; nil for the usual one.
  ///   - replacing: whether files that are no export of favorites may be replaced.
  ///   - withoutMetadata: whether the files of a directory say nothing beside the
  ///     picture, such as place, camera and owner. Those of a web page never do.
  ///   - named: the user's own sources, to whose hosts a web page may link, private or not.
  ///   - progress: called after each picture, off the main actor.
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`.
  package func export(
    _ images: [RemoteImage]? = nil, to target: ExportTarget, heading: String? = nil,
    replacing: Bool = false, withoutMetadata: Bool = false, linkingTo named: [URL] = [],
    progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
  ) async throws -> ExportReport {
    try await favorites.itemsHaveLoaded()
    // The names of collections reveal more than a few pictures: they go with all of them only.
    if images == nil { try await collectionsHaveBeenRead() }
    let export = LibraryExport(
      images: images ?? favorites.items, collections: images == nil ? collections : [],
      undecodable: favorites.loadIssues.map(\.key.rawValue),
      target: target, heading: heading, replacing: replacing,
      strips: withoutMetadata || target.isPage, named: named, progress: progress)
    return try await export.run()
  }

  /// Adds the favorites and collections of an export to a directory.
  ///
  /// They have the captions, tags, credits and dates that they had, and come after the favorites
  /// that are there, in their order. What is a favorite already is left exactly as it is, and what
  /// is in the trash stays there, so that importing twice changes nothing, and undo takes back what
  /// was added and no more. The report says what was left out.
  ///
  /// All are added, or none: the pictures are stored first, where no view sees them, and become
  /// favorites in one transaction. After a kill, what was stored of them is deleted within a day.
  /// Eight megabytes of pictures are in memory.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - restoring: whether pictures in the trash become favorites again.
  ///   - limits: what it may have.
  ///   - progress: called after each picture, off the main actor.
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`; then the favorites
  /// are
  ///   as they were.
  package func importFavorites(
    from path: String, restoring: Bool = false, limits: ExchangeLimits = .standard,
    progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
  ) async throws -> ImportReport {
    if let reasonNotSaved { throw reasonNotSaved }
    try await favorites.itemsHaveLoaded()
    try await trash.itemsHaveLoaded()
    return try await LibraryImport(
      library: self, path: path, restores: restoring, limits: limits, progress: progress
    ).run()
  }

  /// Copies the file of the favorites, with their pictures, collections, trash and history.
  ///
  /// The copy is read again, picture by picture, before it gets its name. It can be put in the
  /// place of the file at any time. Other programs may write meanwhile. The file need only be
  /// readable.
  ///
  /// - Parameters:
  ///   - path: the place of the copy, whose directory must exist.
  ///   - replacing: whether a file at the place may be replaced.
  ///   - progress: called after each picture, off the main actor.
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`; then nothing is at
  /// the
  ///   place, or what was there.
  package func backup(
    to path: String, replacing: Bool = false,
    progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
  ) async throws -> BackupReport {
    if let reasonNotReadable { throw reasonNotReadable }
    if isShared { throw ExchangeError(.onServer, path: path) }
    guard let engine = favorites.libraryEngine?.readableFile else {
      throw ExchangeError(.nothingStored, path: path)
    }
    try await collectionsHaveBeenRead()
    // The file does not have what is only in memory.
    if let reasonNotSaved, await hasUnsavedChanges { throw reasonNotSaved }
    return try await LibraryBackup(
      engine: engine, path: path, replacing: replacing, progress: progress
    ).run()
  }

  /// Copies favorites, trash, hidden pictures and history from a library into another one.
  ///
  /// Existing entries stay as they are, so that an interrupted copy can be repeated.
  ///
  /// - Parameters:
  ///   - source: nil for this library.
  ///   - target: nil for this library.
  ///   - progress: called after each picture.
  /// - Throws: ``ExchangeError``, the storage's error, or `CancellationError`.
  package func copyAll(
    from source: ImageLibrary?, to target: ImageLibrary?,
    progress: @escaping @Sendable (ExchangeProgress) -> Void
  ) async throws -> CopyReport {
    try await LibraryCopy(source: source ?? self, target: target ?? self, progress: progress).run()
  }
}
