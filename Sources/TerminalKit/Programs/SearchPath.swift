internal import Glibc

/// The directories in which to look for programs.
///
/// Unlike execvp(3) it leaves out directories that are not absolute: whatever lies in the current
/// directory under a well-known name is not meant.
package struct SearchPath: Sendable {
  package static var current: SearchPath { SearchPath(getenv("PATH").map { String(cString: $0) }) }

  private let directories: [String]

  /// Creates a search path from the value of PATH; nil stands for where Debian puts programs.
  package init(_ value: String?) {
    directories = (value ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map(String.init).filter { $0.hasPrefix("/") }
  }

  /// The path of the first program of that name that may be run, or nil if there is none.
  package func program(_ name: String) -> String? {
    directories.lazy.map { "\($0)/\(name)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }
  }
}
