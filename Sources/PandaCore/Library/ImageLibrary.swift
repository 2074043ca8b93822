public import FoundationEssentials
public import Pantry

/// The stores of one person's pictures: favorites, trash, what can be undone, what was seen.
///
/// All are key spaces of one file, so that a picture that is in several is kept once. Each thing
/// that the person does is a few transactions, one on each store, in an order in which a kill
/// between two of them loses nothing:
///
/// - Who removes, writes the trash first, then the step to undo, then takes the favorite away.
/// - Who saves, writes the step first, then the favorite.
/// - Undo and redo change the pictures first, then mark the step. A step whose work is done already
///   is passed over.
///
/// An entry of the trash whose picture is a favorite counts as not there: nobody has to take it out
/// in time. Operations happen one after another, in the order in which they were called.
@MainActor
public final class ImageLibrary {
  /// How long a removed favorite can be restored.
  public static let trashDays = 30
  /// How many of the pictures that were shown are kept.
  public static let seenLimit = 200

  /// The favorites.
  public let favorites: Store<RemoteImage>
  /// What was on the card, the newest last.
  public let seen: Store<SeenImage>
  /// What was removed from the favorites.
  ///
  /// Loaded at its first use, like the two after it.
  public private(set) lazy var trash = Store<TrashedImage>.loadingInBackground(
    storage: engine("TrashedImage"))
  /// What is never to be shown again.
  public private(set) lazy var hidden = Store<HiddenImage>.loadingInBackground(
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
  /// The end of the operations called so far.
  private var end: Task<Void, Never>?

  /// Opens the library in `directory`, in the file `favorites.sqlite`.
  ///
  /// - Parameter now: tells the time of what is done.
  public convenience init(
    in directory: StorageDirectory, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(favorites: .images(in: directory), now: now) { namespace in
      SQLiteStorageEngine.deferred(
        directory: directory, databaseFilename: "favorites.sqlite", namespace: namespace)
    }
  }

  /// Creates a library around a store of favorites, with all else in memory.
  public convenience init(
    favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(favorites: favorites, now: now) { _ in MemoryStorageEngine() }
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
  public static let standard: ImageLibrary = {
    let directory = StorageDirectory.defaultStorageDirectory(appendingPath: "panda")
    return ImageLibrary(favorites: .imagesStore, now: { Date() }) { namespace in
      SQLiteStorageEngine.deferred(
        directory: directory, databaseFilename: "favorites.sqlite", namespace: namespace)
    }
  }()

  /// Ends the use of the library: returns when all that was called before has been done.
  public func close() async {
    await end?.value
    await (engine("RemoteImage") as? SQLiteStorageEngine)?.emptyLog()
  }

  /// Does `work` when all that was called before has ended.
  func inTurn<Result: Sendable>(
    _ work: @escaping @MainActor () async throws -> Result
  ) async throws -> Result {
    let task = Task { [previous = end] in
      await previous?.value
      return try await work()
    }
    end = Task { _ = await task.result }
    return try await task.value
  }
}
