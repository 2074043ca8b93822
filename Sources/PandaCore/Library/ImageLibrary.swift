package import FoundationEssentials
package import Pantry

/// The stores of one user's pictures: favorites, trash, history and seen pictures.
///
/// All are namespaces of one file. So a picture that is in several of them is stored once, and each
/// user action is one transaction: a kill leaves all of it or nothing.
///
/// A trash entry whose picture is a favorite counts as absent, so no writer has to remove it in
/// time. Operations run one after another, in the order of the calls.
@MainActor
package final class ImageLibrary {
  /// How long a removed favorite can be restored.
  package nonisolated static let trashDays = 30
  /// The number of seen pictures that are kept.
  package static let seenLimit = 200

  /// The favorites.
  package let favorites: Store<RemoteImage>
  /// The pictures that were on the card, the newest last.
  package let seen: Store<SeenImage>
  /// The pictures removed from the favorites.
  ///
  /// Loaded on first use, like the two stores after it.
  package private(set) lazy var trash = Store<TrashedImage>.loadingInBackground(
    storage: engine("TrashedImage"))
  /// The pictures that are never to be shown again.
  package private(set) lazy var hidden = Store<HiddenImage>.loadingInBackground(
    storage: engine("HiddenImage"))
  /// The records of the sources.
  private(set) lazy var sources = Store<SourceRecord>.loadingInBackground(
    storage: engine("SourceRecord"))
  /// The pictures that services have listed and that were not shown yet.
  private(set) lazy var candidates = Store<SourceCandidate>.loadingInBackground(
    storage: engine("SourceCandidate"))
  /// The positions in the services' lists.
  private(set) lazy var listings = Store<SourceListing>.loadingInBackground(
    storage: engine("SourceListing"))
  /// The pictures that are being imported.
  private(set) lazy var incoming = Store<IncomingPicture>.loadingInBackground(
    storage: engine("IncomingPicture"))
  private(set) lazy var history = LibraryHistory(
    store: Store<LibraryChange>.loadingInBackground(storage: engine("LibraryChange")))

  let now: @Sendable () -> Date
  private let engine: (String) -> any StorageEngine
  /// Who else could read or replace the files, as found when the library was opened.
  package private(set) var exposure = LibraryExposure()
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

  /// Creates a library around a store of favorites.
  ///
  /// All other stores are in the same file, or in memory if the favorites are.
  package convenience init(
    favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let storage = favorites.storage
    self.init(favorites: favorites, now: now) { namespace -> any StorageEngine in
      switch storage {
      case let file as SQLiteStorageEngine: file.engine(namespace: namespace)
      case let file as UnsavedStorageEngine: file.engine(namespace: namespace)
      default: MemoryStorageEngine()
      }
    }
  }

  /// - Parameter engine: creates the engine of a key space.
  init(
    favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date,
    engine: @escaping (String) -> any StorageEngine
  ) {
    self.favorites = favorites
    self.now = now
    self.engine = engine
    // The first picture on the card is known before the other pictures have been read.
    seen = Store<SeenImage>.loadingInBackground(storage: engine("SeenImage"), excerptLimit: 1)
  }

  /// The library of the user who runs the program, around ``Store/imagesStore``.
  package static let standard: ImageLibrary = {
    let exposure = LibraryExposure.mend(in: .favorites)
    let library = ImageLibrary(favorites: .imagesStore)
    library.exposure = exposure
    return library
  }()

  /// Loads the favorites on all cores, also those after the newest: nothing is to be drawn.
  package func loadOnAllCores() { favorites.leavesCoresFree = false }

  /// Closes the library after all earlier operations have completed.
  package func close() async {
    // Each operation affects one of these.
    await favorites.operationsHaveEnded()
    await seen.operationsHaveEnded()
    await (favorites.storage as? SQLiteStorageEngine)?.emptyLog()
  }

  /// Runs `work` after all earlier operations, while nothing is written and no lock is held.
  ///
  /// Waiting does not block the main actor, even if another process keeps the lock.
  package func betweenWrites(_ work: @MainActor () -> Void) async {
    await favorites.operationsHaveEnded()
    await seen.operationsHaveEnded()
    guard let engine = favorites.storage as? SQLiteStorageEngine else { return work() }
    engine.betweenWrites { work() }
  }
}
