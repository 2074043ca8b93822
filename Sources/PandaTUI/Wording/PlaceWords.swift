internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The sentences about the place of the favorites, without a period at the end.
enum PlaceWords {
  /// Nothing is saved.
  static let notSaved = "Your favorites are kept only until you quit"

  /// What the user can do about it.
  static let remedy = "panda --data-dir DIRECTORY keeps them elsewhere"

  /// Nothing was saved, and the session has ended; nil if nothing was lost.
  static func lost(_ changes: UnsavedChanges, because reason: StorageError) -> String? {
    guard !changes.isEmpty else { return nil }
    let what =
      switch changes.added {
      case 0: "What you changed in your favorites was not saved"
      case 1: "1 favorite was not saved"
      case let count: "\(count) favorites were not saved"
      }
    return "\(what): \(userMessage(for: reason))"
  }

  /// The end waits until everything is saved.
  ///
  /// - Parameter server: the place of a shared library; nil for a file.
  static func waiting(for server: String?) -> String {
    let place = server.map { "\($0.sanitized(upTo: 60)) keeps" } ?? "the file keeps"
    return "Waiting until \(place) what you did. Ctrl-C gives up"
  }

  /// Others could read or replace the favorites; nil if they could not.
  ///
  /// - Parameter known: the directory that the user has been warned of.
  static func warning(of exposure: LibraryExposure, known: String?) -> String? {
    if exposure.wasReadable {
      return "Other users of this computer could read your favorites; now only you can"
    }
    guard let place = exposure.writableDirectory, place != known else { return nil }
    return "Every user of this computer may write to the directory of your favorites, "
      + place.sanitized(upTo: 300)
  }
}
