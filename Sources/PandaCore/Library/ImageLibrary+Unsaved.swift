package import Pantry

extension ImageLibrary {
  /// The reason why nothing is saved; nil if everything is.
  package var reasonNotSaved: StorageError? { favorites.libraryEngine?.reasonNotSaved }

  /// The reason why stored data cannot be shown; nil if it can.
  package var reasonNotReadable: StorageError? { favorites.libraryEngine?.reasonNotReadable }

  package var hasUnsavedChanges: Bool {
    get async { await favorites.libraryEngine?.hasUnsavedChanges ?? false }
  }
}
