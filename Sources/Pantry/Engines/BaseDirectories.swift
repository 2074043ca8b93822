package import FoundationEssentials

/// The base directories for the files of a user's programs.
///
/// They follow the XDG Base Directory Specification 0.8: a variable that is unset, empty or not an
/// absolute path is ignored. So is `HOME`; its fallback is the home directory of the user database
/// (passwd(5)).
///
/// An engine or a value in a directory that a variable names in other bytes than UTF-8 throws
/// ``StorageError/unusablePath(path:reason:)`` with the name of the variable.
package struct BaseDirectories: Hashable, Sendable {
  /// The home directory.
  package let home: URL
  /// `$XDG_DATA_HOME`, or `~/.local/share`.
  package let data: URL
  /// `$XDG_CACHE_HOME`, or `~/.cache`: its content may be deleted at any time.
  package let caches: URL
  /// `$XDG_STATE_HOME`, or `~/.local/state`.
  package let state: URL
  /// `$XDG_CONFIG_HOME`, or `~/.config`.
  package let configuration: URL

  /// Reads the directories from an environment.
  ///
  /// - Parameters:
  ///   - environment: the variables.
  ///   - accountHome: the home directory of the user database.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    accountHome: @autoclosure () -> URL = Self.accountHome
  ) {
    func directory(_ variable: String) -> URL? {
      guard let path = environment[variable], path.utf8.first == UInt8(ascii: "/") else {
        return nil
      }
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    let home = directory("HOME") ?? accountHome()
    self.home = home
    data = directory("XDG_DATA_HOME") ?? home.appending(path: ".local/share")
    caches = directory("XDG_CACHE_HOME") ?? home.appending(path: ".cache")
    state = directory("XDG_STATE_HOME") ?? home.appending(path: ".local/state")
    configuration = directory("XDG_CONFIG_HOME") ?? home.appending(path: ".config")
  }

  /// The user's home directory in the user database, regardless of `HOME`.
  package static var accountHome: URL { FileManager.default.homeDirectoryForCurrentUser }
}
