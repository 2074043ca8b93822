package import Pantry

extension Store where Item == RemoteImage {
  /// The user's favorites: `$XDG_DATA_HOME/panda/favorites.sqlite`.
  ///
  /// The default for everything that takes a store of images. It loads in the background on first
  /// use; if the file cannot be opened, each operation throws the reason.
  package static let imagesStore = images(in: .favorites)

  /// The number of favorites on the first screen: more than fit into a row of any terminal.
  static var excerptLimit: Int { 32 }

  /// Opens the favorites in `directory`, in the file `favorites.sqlite`.
  ///
  /// While they load, the store's excerpt holds the newest of them. If the file cannot be written,
  /// all changes are kept in memory.
  package static func images(in directory: StorageDirectory) -> Store<RemoteImage> {
    images(on: directory.libraryEngine(namespace: RemoteImage.namespace))
  }

  /// Opens the favorites on an engine, such as that of a server.
  ///
  /// While they load, the store's excerpt holds the newest of them that this machine knows.
  static func images(on engine: any StorageEngine) -> Store<RemoteImage> {
    .loadingInBackground(
      storage: engine, excerptLimit: excerptLimit, upgrades: RemoteImage.upgrades)
  }
}

extension RemoteImage {
  /// The versions of its rows, and of those that have one inside.
  ///
  /// Version 1 has the description, which programs before it would drop with the next change: they
  /// refuse to write over such a row.
  static let upgrades = [ModelUpgrade.data(\.self)]

  static var namespace: String { "RemoteImage" }
}

extension StorageDirectory {
  /// The directory of the user's favorites: `$XDG_DATA_HOME/panda`.
  package static var favorites: StorageDirectory {
    .defaultStorageDirectory(appendingPath: "panda")
  }

  static let libraryFile = "favorites.sqlite"

  /// The engine of a namespace in `favorites.sqlite`, or in memory if that cannot be written.
  func libraryEngine(namespace: String) -> any LibraryEngine {
    let filename = Self.libraryFile
    if let obstacle = SQLiteStorageEngine.obstacle(toWriting: filename, in: self) {
      return UnsavedEngine(filename, in: self, obstacle: obstacle, namespace)
    }
    return SQLiteStorageEngine.deferred(
      directory: self, databaseFilename: filename, namespace: namespace)
  }
}
