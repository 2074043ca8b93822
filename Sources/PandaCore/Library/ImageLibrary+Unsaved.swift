package import Pantry

extension ImageLibrary {
  /// Why nothing is saved; nil if everything is.
  package var reasonNotSaved: StorageError? {
    (favorites.storage as? UnsavedStorageEngine)?.reason
  }

  /// Returns how the favorites differ from those on disk; nothing if everything is saved.
  package func unsavedChanges() async -> UnsavedChanges {
    await (favorites.storage as? UnsavedStorageEngine)?.unsavedChanges(of: RemoteImage.self)
      ?? UnsavedChanges()
  }
}
