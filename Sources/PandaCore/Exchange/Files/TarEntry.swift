/// An entry of a tar archive, whose name has been checked.
struct TarEntry: Equatable {
  /// The path, relative and without `.`, `..` and empty components.
  let path: String
  /// The number of bytes; 0 for a directory.
  let byteCount: Int
  let isDirectory: Bool

  /// Returns what is wrong with a path; nil if nothing is.
  ///
  /// Nothing is ever written to such a path. Archives with others are refused because no exporter
  /// makes them, so that what else they have is not to be trusted.
  static func problem(of path: String) -> ExchangeError.EntryProblem? {
    if path.hasPrefix("/") { return .absolute }
    return path.split(separator: "/").contains("..") ? .leaving : nil
  }

  /// Returns a path without `.` and empty components: `./a//b/` is `a/b`.
  static func normalized(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
