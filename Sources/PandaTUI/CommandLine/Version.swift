internal import CVersion
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// The version of Panda.
///
/// The Makefile takes the number from here.
enum Version {
  /// The program's version (https://semver.org).
  static let number = "0.2.0"

  /// The release date, as in CHANGELOG.md.
  static let date = "2026-11-22"

  /// The commit it was built from; nil if the build did not set it.
  static let commit: String? = {
    let commit = String(cString: panda_commit())
    return commit.isEmpty ? nil : commit
  }()

  /// The output of `--version`.
  static let name = "panda \(number)"

  /// The output of `--version --verbose`.
  static var details: String {
    ([name, "commit \(commit ?? "unknown")"] + libraries).joined(separator: "\n")
  }

  /// The libraries with their versions, those at run time if a library reports it.
  static var libraries: [String] {
    [
      "curl \(HTTPClient.libraryVersion)", "OpenSSL \(ContentDigest.libraryVersion)",
      "SQLite \(SQLiteStorageEngine.libraryVersion)", TerminalDatabase.libraryVersion,
      SymbolOutput.libraryFile,
    ] + PictureLibraries.versions
  }

  /// The date in the format of manual pages: `November 22, 2026`.
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
