internal import FoundationEssentials
internal import Pantry
internal import TerminalKit

/// Favorites in the home directory of the user database, while `HOME` names another one.
///
/// Panda 0.1.0 ignored `HOME`, so favorites may have been left there.
struct FormerFavorites: Hashable, Sendable {
  /// The directory that contains them.
  let directory: String

  /// Looks for them.
  ///
  /// Nil if there are none, or if the current place is the same.
  ///
  /// - Parameters:
  ///   - options: the command line; with `--data-dir` the user has chosen the place.
  ///   - directories: the current places.
  ///   - accountHome: the home directory of the user database.
  init?(
    _ options: Options, directories: BaseDirectories = BaseDirectories(),
    accountHome: URL = BaseDirectories.accountHome
  ) {
    guard options.dataDirectory == nil else { return nil }
    // 0.1.0 did respect XDG_DATA_HOME.
    let place = accountHome.appending(path: ".local/share")
    guard directories.data.resolved != place.resolved,
      directories.data.resolved == directories.home.appending(path: ".local/share").resolved
    else { return nil }
    let directory = place.appending(path: "panda")
    guard FileManager.default.fileExists(atPath: directory.appending(path: "favorites.sqlite").path)
    else { return nil }
    self.directory = directory.path(percentEncoded: false)
  }

  /// Looks for them off the main actor.
  ///
  /// The user database may be on another computer.
  @concurrent
  static func find(_ options: Options) async -> FormerFavorites? { FormerFavorites(options) }

  /// How to open them, without a period.
  var sentence: String { "Earlier favorites: \(command)" }

  /// Explains for the doctor why they are there and how to open them.
  var advice: String {
    "Panda 0.1.0 ignored HOME, so earlier favorites are in \(directory.sanitized(upTo: 1_000)). "
      + "To open them: \(command)"
  }

  private var command: String { "panda --data-dir \(shellWord)" }

  /// The directory, quoted as one shell word.
  private var shellWord: String {
    let path = directory.sanitized(upTo: 1_000)
    let plain = path.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-+".utf8.contains(byte)
    }
    guard !plain else { return path }
    return "'"
      + path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}

extension URL {
  /// The path without symbolic links and without a slash at its end.
  fileprivate var resolved: String {
    let path = resolvingSymlinksInPath().path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
