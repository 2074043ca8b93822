package import Pantry

extension ImageLibrary {
  /// Why nothing is saved; nil if everything is.
  package var reasonNotSaved: StorageError? {
    (favorites.storage as? UnsavedStorageEngine)?.reason
  }

  /// Why nothing that is stored can be shown; nil if it can.
  package var reasonNotReadable: StorageError? {
    guard let engine = favorites.storage as? UnsavedStorageEngine, !engine.isReadable else {
      return nil
    }
    return engine.reason
  }

  /// Returns how the favorites differ from those on disk; nothing if everything is saved.
  package func unsavedChanges() async -> UnsavedChanges {
    await (favorites.storage as? UnsavedStorageEngine)?.unsavedChanges(of: RemoteImage.self)
      ?? UnsavedChanges()
  }
}
