package import FoundationEssentials
package import Pantry
internal import PantryPostgres
internal import PictureCodecs

/// The stores of one user's pictures: favorites, trash, collections, history and seen pictures.
///
/// All are namespaces of one file. So a picture that is in several of them is stored once, and each
/// user action is one transaction: a kill leaves all of it or nothing.
///
/// A shared library has favorites, trash and collections on a server, for everyone, and beside them
/// the steps and the hidden pictures of each author; what was seen and the records of sources stay
/// in the file on this machine.
///
/// A trash entry whose picture is a favorite counts as absent, so no writer has to remove it in
/// time. Operations run one after another, in the order of the calls.
@MainActor
package final class ImageLibrary {
  /// The number of days for which a removed favorite can be restored.
  package nonisolated static let trashDays = 30
  package static let seenLimit = 200

  package let favorites: Store<RemoteImage>
  /// The pictures that were on the card, the newest last.
  package let seen: Store<SeenImage>
  /// The number of pictures that were on the card; loaded on first use.
  private(set) lazy var seenTotal = Store<SeenTotal>.loadingInBackground(
    storage: localEngine("SeenTotal"))
  package let sightings: Sightings
  package let sources: SourceRecords
  /// The pictures removed from the favorites.
  ///
  /// Loaded on first use, like the two stores after it.
  package private(set) lazy var trash = Store<TrashedImage>.loadingInBackground(
    storage: engine("TrashedImage"), upgrades: RemoteImage.upgrades)
  /// The pictures that are never to be shown again.
  package private(set) lazy var hidden = Store<HiddenImage>.loadingInBackground(
    storage: engine(ofAuthor("HiddenImage")))
  private(set) lazy var incoming = Store<IncomingPicture>.loadingInBackground(
    storage: engine("IncomingPicture"))
  /// The collections, and those that were deleted.
  package private(set) lazy var savedFilters = Store<SavedFilter>.loadingInBackground(
    storage: engine("SavedFilter"))
  private(set) lazy var history = LibraryHistory(
    store: Store<LibraryChange>.loadingInBackground(
      storage: engine(ofAuthor("LibraryChange"))))

  let now: @Sendable () -> Date
  /// The user of a shared library, such as `ada@kitchen`; nil if it is not shared.
  package let author: String?
  /// The place of a shared library, such as `db.example/pandas`; nil if it is not shared.
  package let serverName: String?
  private let engine: (String) -> any StorageEngine
  let localEngine: (String) -> any StorageEngine
  /// The other users' access to the files, as found when the library was opened.
  package private(set) var exposure = LibraryExposure()
  /// Returns the collections that an earlier version kept for this library.
  var formerCollections: () -> [SavedFilter] = { [] }
  /// Returns how many pictures earlier versions counted, for a library that has not counted yet.
  package var formerSeenCount: () -> Int = { 0 }
  package private(set) lazy var hasher = FavoritesHasher(favorites)
  var index = LibraryIndex()
  /// Whether ``canBeRead()`` has waited in vain.
  var isLate = false

  /// Opens the library in `directory`, in the file `favorites.sqlite`.
  ///
  /// Files that others can read are made private. If the file cannot be written, everything is
  /// kept in memory: see ``reasonNotSaved``.
  ///
  /// - Parameter now: returns the date for new entries.
  package convenience init(
    in directory: StorageDirectory, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let exposure = LibraryExposure.mend(in: directory)
    self.init(favorites: .images(in: directory), now: now)
    self.exposure = exposure
  }

  /// Opens a library that several machines share, on a PostgreSQL server.
  ///
  /// The server need not answer now.
  ///
  /// - Parameters:
  ///   - author: names the user to the others.
  ///   - directory: keeps what is not shared.
  ///   - copies: keeps copies of pictures and of the newest favorites.
  /// - Throws: `PostgresError` if libpq is missing, or cannot read the address.
  package convenience init(
    at address: LibraryAddress, author: String, in directory: StorageDirectory = .favorites,
    copies: SharedLibraryCopies? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let server = try PostgresStorageEngine(
      address.text, namespace: RemoteImage.namespace,
      copies: copies ?? SharedLibraryCopies(of: address.fileName))
    let local = directory.libraryEngine(namespace: "SeenImage")
    self.init(
      favorites: .images(on: server), author: author, serverName: address.place, now: now,
      engine: { server.engine(namespace: $0) }, localEngine: { local.sibling(namespace: $0) })
    if server.isUnverified { exposure.unverifiedServer = address.place }
  }

  /// Creates a library around a store of favorites.
  ///
  /// All other stores are in the same file, or in memory if the favorites are.
  package convenience init(
    favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let engine = favorites.libraryEngine
    self.init(favorites: favorites, now: now) {
      engine?.sibling(namespace: $0) ?? MemoryStorageEngine()
    }
  }

  package static func inMemory() -> ImageLibrary {
    ImageLibrary(favorites: .images(on: MemoryStorageEngine()))
  }

  /// - Parameters:
  ///   - engine: creates the engine of a key space.
  ///   - localEngine: creates that of one that is never shared; nil for the same.
  init(
    favorites: Store<RemoteImage>, author: String? = nil, serverName: String? = nil,
    now: @escaping @Sendable () -> Date, engine: @escaping (String) -> any StorageEngine,
    localEngine: ((String) -> any StorageEngine)? = nil
  ) {
    self.favorites = favorites
    self.author = author
    self.serverName = serverName
    self.now = now
    self.engine = engine
    self.localEngine = localEngine ?? engine
    sightings = Sightings(of: favorites, now: now, engine: self.localEngine)
    sources = SourceRecords(now: now, engine: self.localEngine)
    // The first picture on the card is known before the other pictures have been read.
    seen = Store<SeenImage>.loadingInBackground(
      storage: self.localEngine("SeenImage"), excerptLimit: 1, upgrades: RemoteImage.upgrades)
  }

  /// A namespace with the entries of one author, in a shared library.
  private func ofAuthor(_ name: String) -> String { author.map { "\(name)/\($0)" } ?? name }

  /// The library of the user who runs the program, around ``Store/imagesStore``.
  package static let standard: ImageLibrary = {
    let exposure = LibraryExposure.mend(in: .favorites)
    let library = ImageLibrary(favorites: .imagesStore)
    library.exposure = exposure
    library.formerCollections = {
      StoredValue(wrappedValue: [], key: "collections", directory: .state(appendingPath: "panda"))
        .wrappedValue
    }
    return library
  }()

  /// Loads the favorites on all cores, also those after the newest: nothing is to be drawn.
  package func loadOnAllCores() { favorites.leavesCoresFree = false }

  /// Closes the library after all earlier operations have completed.
  ///
  /// - Parameter clock: measures how long a server is waited for.
  package func close(clock: some Clock<Duration> = ContinuousClock()) async {
    // Each operation affects one of these.
    await favorites.operationsHaveEnded()
    try? await sightings.write()  // it is but a memory
    try? await seen.close()  // nothing is lost: the next start reads the log
    guard favorites.hasLoaded, isShared else { return }
    let keeping = Task { await keepNewest() }
    // A server that has just gone silent must not keep the user from quitting.
    _ = await keeping.result(within: .seconds(1), on: clock)
  }

  /// Whether the favorites are on a server, for several machines.
  package var isShared: Bool { author != nil }

  /// Whether the changes of others show within two seconds instead of at once, since a pooler is
  /// between.
  package var isPolled: Bool {
    get async { await favorites.libraryEngine?.isPolled ?? false }
  }

  /// Keeps the newest favorites of a shared library for the next start.
  package func keepNewest() async {
    await favorites.libraryEngine?.keepNewest(Store<RemoteImage>.excerptLimit)
  }

  /// Runs `work` after all earlier operations, while nothing is written and no lock is held.
  ///
  /// Waiting does not block the main actor, even if another process keeps the lock.
  package func betweenWrites(_ work: @MainActor () -> Void) async {
    await favorites.operationsHaveEnded()
    await seen.operationsHaveEnded()
    guard let file = seen.libraryEngine?.file else { return work() }
    file.betweenWrites { work() }
  }
}
