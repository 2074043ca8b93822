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
  /// all changes are kept in memory (`UnsavedStorageEngine`).
  package static func images(in directory: StorageDirectory) -> Store<RemoteImage> {
    let (filename, namespace) = ("favorites.sqlite", "RemoteImage")
    let unsaved = UnsavedStorageEngine(
      unlessWritable: filename, in: directory, namespace: namespace)
    return .loadingInBackground(
      storage: unsaved
        ?? SQLiteStorageEngine.deferred(
          directory: directory, databaseFilename: filename, namespace: namespace),
      excerptLimit: excerptLimit)
  }
}

extension StorageDirectory {
  /// The directory of the user's favorites: `$XDG_DATA_HOME/panda`.
  package static var favorites: StorageDirectory {
    .defaultStorageDirectory(appendingPath: "panda")
  }
}
