import Foundation
import PandaTestSupport

@testable import Pantry

/// A database of another program in the place of the favorites.
struct ForeignFile {
  let path: String

  init(in directory: TemporaryDirectory) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path("data"), withIntermediateDirectories: false)
    path = directory.path("data/favorites.sqlite")
    try Database(path: path).execute("PRAGMA application_id = 1; CREATE TABLE note (text)")
  }

  func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
