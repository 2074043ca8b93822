import Foundation
import PandaTestSupport

@testable import Pantry

/// A library of one favorite in the `data` directory of an ``AppDriver``, its file kept locked.
@MainActor
final class LockedFavorites {
  let directory: StorageDirectory
  /// Kept, so that every engine on the file has its patience.
  private let file: SQLiteFile
  private var database: Database?

  /// Makes the library, and locks its file.
  ///
  /// - Parameter patience: how long the program waits for a lock, in milliseconds.
  init(in directory: TemporaryDirectory, patience: Int32) async throws {
    let before = try AppDriver(directory)
    try await before.favorite(1)
    try await before.quit()
    let database = try Database(path: directory.path("data/favorites.sqlite"))
    try await eventually("the file is closed") {
      do {
        try database.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
        return true
      } catch let error as SQLiteError where error.kind == .busy {
        return false
      }
    }
    self.directory = StorageDirectory(url: directory.url.appending(path: "data"))
    self.database = database
    file = SQLiteFile.named("favorites.sqlite", in: self.directory, patience: patience)
  }

  func release() { database = nil }
}
