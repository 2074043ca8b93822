internal import CVersion
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Which Panda this is.
///
/// The Makefile takes the number from here.
enum Version {
  /// The program's version (https://semver.org).
  static let number = "0.2.0"

  /// The day of its release, as CHANGELOG.md has it.
  static let date = "2026-11-22"

  /// The commit that it was built from; nil if the build did not tell.
  static let commit: String? = {
    let commit = String(cString: panda_commit())
    return commit.isEmpty ? nil : commit
  }()

  /// What `--version` prints.
  static let name = "panda \(number)"

  /// What `--version --verbose` prints.
  static var details: String {
    ([name, "commit \(commit ?? "unknown")"] + libraries).joined(separator: "\n")
  }

  /// The libraries with their versions, those that the program runs with as far as each can tell.
  static var libraries: [String] {
    [
      "curl \(HTTPClient.libraryVersion)", "OpenSSL \(ContentDigest.libraryVersion)",
      "SQLite \(SQLiteStorageEngine.libraryVersion)", TerminalDatabase.libraryVersion,
      "chafa \(SymbolOutput.libraryVersion)",
    ] + PictureLibraries.versions
  }

  /// The date as manual pages have it: `November 22, 2026`.
  static var longDate: String {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    guard parts.count == 3, (1...12).contains(parts[1]) else { return date }
    return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
  }
}
