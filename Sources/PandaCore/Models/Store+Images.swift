package import Pantry

extension Store where Item == RemoteImage {
  /// The user's favorites: `$XDG_DATA_HOME/panda/favorites.sqlite`.
  ///
  /// The default for everything that takes a store of images. It loads in the background on first
  /// use; if the file cannot be opened, each operation throws the reason.
  package static let imagesStore = images(in: .defaultStorageDirectory(appendingPath: "panda"))

  /// The number of favorites on the first screen: more than fit into a row of any terminal.
  static var excerptLimit: Int { 32 }

  /// Opens the favorites in `directory`, in the file `favorites.sqlite`.
  ///
  /// While they load, the store's excerpt holds the newest of them.
  package static func images(in directory: StorageDirectory) -> Store<RemoteImage> {
    .loadingInBackground(
      storage: SQLiteStorageEngine.deferred(
        directory: directory, databaseFilename: "favorites.sqlite", namespace: "RemoteImage"),
      excerptLimit: excerptLimit)
  }
}
