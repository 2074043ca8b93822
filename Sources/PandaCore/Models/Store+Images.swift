public import Pantry

extension Store where Item == RemoteImage {
  /// The favourites of the person who runs the program: `$XDG_DATA_HOME/panda/favorites.sqlite`.
  ///
  /// The default of everything that takes a store of images. It loads in the background at its
  /// first use; if the file cannot be opened, each operation throws the reason.
  public static let imagesStore = images(in: .defaultStorageDirectory(appendingPath: "panda"))

  /// Opens the favourites that are kept in `directory`, in the file `favorites.sqlite`.
  public static func images(in directory: StorageDirectory) -> Store<RemoteImage> {
    Store<RemoteImage>(
      storage: SQLiteStorageEngine.deferred(
        directory: directory, databaseFilename: "favorites.sqlite", namespace: "RemoteImage"))
  }
}
