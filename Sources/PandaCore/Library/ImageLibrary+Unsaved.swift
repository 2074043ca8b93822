package import Pantry

extension ImageLibrary {
  /// The reason why nothing is saved; nil if everything is.
  package var reasonNotSaved: StorageError? { favorites.libraryEngine?.reasonNotSaved }

  /// The reason why stored data cannot be shown; nil if it can.
  package var reasonNotReadable: StorageError? { favorites.libraryEngine?.reasonNotReadable }

  /// Returns how the favorites differ from those on disk; nothing if everything is saved.
  package func unsavedChanges() async -> UnsavedChanges {
    await favorites.libraryEngine?.unsavedChanges() ?? UnsavedChanges()
  }
}
