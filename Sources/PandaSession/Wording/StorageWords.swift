package import PandaCore
package import Pantry

/// The sentences about the place of the favorites, without a period at the end.
package enum StorageWords {
  package static let notSaved = "Your favorites are kept only until you quit"

  package static let unreadable = "Your favorites cannot be opened"

  /// Begins a message about pictures that were shown and not recorded.
  package static let notRemembered = "History was not saved"

  /// The message if a damaged file could not be recovered.
  package static let notRecovered = "\(unreadable), and not recovered"

  package static let recovering = "Your favorites file is damaged: recovering what can be read"

  /// The message once the server of a shared library is back.
  package static let connected = "Connected to the shared favorites again"

  package static func retrying(_ problem: String) -> String { "\(problem). Panda keeps trying" }

  /// The advice to the user while nothing is saved.
  package static let remedy = "panda --data-dir DIRECTORY keeps them elsewhere"

  /// The message at the end of an unsaved session in which favorites were changed.
  package static func lost(because reason: StorageError) -> String {
    "Your changes to the favorites were not saved: \(userMessage(for: reason))"
  }

  /// The end waits until everything is saved.
  ///
  /// - Parameter server: the place of a shared library; nil for a file.
  package static func waiting(for server: String?) -> String {
    let place = server?.sanitized(upTo: 60) ?? "the file"
    return "Waiting for \(place) to save your changes. Ctrl-C gives up"
  }

  /// The file is gone, and its newest backup is there; nil if the file is there, or neither.
  package static func missing(_ exposure: LibraryExposure) -> String? {
    guard let backup = exposure.backupOfMissing else { return nil }
    return
      "The favorites file is missing, so a new one begins. Its newest backup, which has no "
      + "pictures, is \(backup.sanitized(upTo: 300)): to restore it, quit panda and move it to "
      + "favorites.sqlite with mv"
  }

  /// The file is gone, or others could read or replace the favorites; nil if neither.
  ///
  /// - Parameter known: the place that the user has been warned of.
  package static func warning(of exposure: LibraryExposure, known: String?) -> String? {
    if let missing = missing(exposure) { return missing }
    if exposure.wasReadable {
      return "Other users of this computer could read your favorites; now only you can"
    }
    guard let place = exposure.place, place != known else { return nil }
    if exposure.writableDirectory == nil {
      return
        "The server \(place.sanitized(upTo: 60)) is not verified, so others could read your "
        + "favorites: add sslmode=verify-full to its address"
    }
    return "Every user of this computer may write to the directory of your favorites, "
      + place.sanitized(upTo: 300)
  }
}
