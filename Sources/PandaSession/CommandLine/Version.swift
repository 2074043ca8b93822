internal import CVersion
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

package enum Version {
  /// The version of the next release (https://semver.org), which the tag `v` with it makes.
  ///
  /// `Scripts/commit` takes it from here.
  static let next = "0.3.0"

  /// The version, its date and the commit, set by the build (`Scripts/link-flags`).
  ///
  /// Empty in a build by `swift build` alone.
  private static let build = String(cString: panda_build()).split(separator: " ").map(String.init)

  /// The program's version: that of the release, or one before it with the day and the commit, such
  /// as `0.3.0~git20261125.abcdef0`.
  package static let number = build.first ?? "\(next)~git"

  /// The day of the commit it was built from, such as `2026-11-25`.
  static let date = build.count > 1 ? build[1] : "1970-01-01"

  /// The commit it was built from; nil if the build did not set it.
  package static let commit = build.count > 2 ? build[2] : nil

  /// The output of `--version`.
  package static let name = "panda \(number)"

  /// The output of `--version --verbose`.
  package static var details: String {
    ([name, "commit \(commit ?? "unknown")"] + libraries).joined(separator: "\n")
  }

  /// The output of `--licenses`: the notices of Panda and of what is linked into it.
  package static var notices: String {
    let text = String(cString: panda_notices())
    return text.isEmpty
      ? "This build has no notices, since make did not build it: LICENSE and Packaging/copyright have "
        + "them.\n" : text
  }

  /// The libraries with their versions, those at run time if a library reports it.
  package static var libraries: [String] {
    [
      "curl \(HTTPClient.libraryVersion)", "OpenSSL \(ContentDigest.libraryVersion)",
      "SQLite \(SQLiteStorageEngine.libraryVersion)", TerminalDatabase.libraryVersion,
      SymbolOutput.libraryFile,
    ] + PictureLibraries.versions
  }

  /// The date in the format of manual pages: `November 22, 2026`.
  package static var longDate: String {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    guard parts.count == 3, (1...12).contains(parts[1]) else { return date }
    return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
  }
}
