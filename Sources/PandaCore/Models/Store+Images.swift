package import Pantry

extension Store where Item == RemoteImage {
  /// The favourites of the person who runs the program: `$XDG_DATA_HOME/panda/favorites.sqlite`.
  ///
  /// The default of everything that takes a store of images. It loads in the background at its
  /// first use; if the file cannot be opened, each operation throws the reason.
  package static let imagesStore = images(in: .defaultStorageDirectory(appendingPath: "panda"))

  /// How many favourites a first screen shows: more than a terminal has room for in a row.
  static var excerptLimit: Int { 32 }

  /// Opens the favourites that are kept in `directory`, in the file `favorites.sqlite`.
  ///
  /// While they load the newest of them are in the store's excerpt.
  package static func images(in directory: StorageDirectory) -> Store<RemoteImage> {
    .loadingInBackground(
      storage: SQLiteStorageEngine.deferred(
        directory: directory, databaseFilename: "favorites.sqlite", namespace: "RemoteImage"),
      excerptLimit: excerptLimit)
  }
}
