package import FoundationEssentials
package import Pantry

/// The stores of one person's pictures: favorites, trash, what can be undone, what was seen.
///
/// All are namespaces of one file, so that a picture that is in several is kept once, and each thing
/// that the person does is one transaction: a kill leaves all of it or nothing.
///
/// An entry of the trash whose picture is a favorite counts as not there: nobody has to take it out
/// in time. Operations happen one after another, in the order in which they were called.
@MainActor
package final class ImageLibrary {
  /// How long a removed favorite can be restored.
  package nonisolated static let trashDays = 30
  /// How many of the pictures that were shown are kept.
  package static let seenLimit = 200

  /// The favorites.
  package let favorites: Store<RemoteImage>
  /// What was on the card, the newest last.
  package let seen: Store<SeenImage>
  /// What was removed from the favorites.
  ///
  /// Loaded at its first use, like the two after it.
  package private(set) lazy var trash = Store<TrashedImage>.loadingInBackground(
    storage: engine("TrashedImage"))
  /// What is never to be shown again.
  package private(set) lazy var hidden = Store<HiddenImage>.loadingInBackground(
    storage: engine("HiddenImage"))
  /// What is known of where pictures come from.
  private(set) lazy var sources = Store<SourceRecord>.loadingInBackground(
    storage: engine("SourceRecord"))
  /// What services have named and was not shown yet.
  private(set) lazy var candidates = Store<SourceCandidate>.loadingInBackground(
    storage: engine("SourceCandidate"))
  /// Where the lists of services go on.
  private(set) lazy var listings = Store<SourceListing>.loadingInBackground(
    storage: engine("SourceListing"))
  private(set) lazy var history = LibraryHistory(
    store: Store<LibraryChange>.loadingInBackground(storage: engine("LibraryChange")))

  let now: @Sendable () -> Date
  private let engine: (String) -> any StorageEngine

  /// Opens the library in `directory`, in the file `favorites.sqlite`.
  ///
  /// - Parameter now: tells the time of what is done.
  package convenience init(
    in directory: StorageDirectory, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(favorites: .images(in: directory), now: now)
  }

  /// Creates a library around a store of favorites, with all else in the same file, or in memory if
  /// they are.
  package convenience init(
    favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let file = favorites.storage as? SQLiteStorageEngine
    self.init(favorites: favorites, now: now) { namespace -> any StorageEngine in
      if let file { file.engine(namespace: namespace) } else { MemoryStorageEngine() }
    }
  }

  /// - Parameter engine: makes the engine of a key space.
  init(
    favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date,
    engine: @escaping (String) -> any StorageEngine
  ) {
    self.favorites = favorites
    self.now = now
    self.engine = engine
    // What the card begins with is known before the other pictures have been read.
    seen = Store<SeenImage>.loadingInBackground(storage: engine("SeenImage"), excerptLimit: 1)
  }

  /// The library of the person who runs the program, around ``Store/imagesStore``.
  package static let standard = ImageLibrary(favorites: .imagesStore)

  /// Ends the use of the library: returns when all that was called before has been done.
  package func close() async {
    // Each operation concerns one of these.
    await favorites.operationsHaveEnded()
    await seen.operationsHaveEnded()
    await (favorites.storage as? SQLiteStorageEngine)?.emptyLog()
  }
}
