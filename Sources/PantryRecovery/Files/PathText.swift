internal import FoundationEssentials
internal import Glibc

/// Detects paths that are not the bytes they were made from.
///
/// Swift's text is UTF-8, and repairs other bytes with U+FFFD: such a path leads to another file
/// than the one that the environment, an argument or the working directory names.
package enum PathText {
  /// The error for a path that would lead elsewhere than it was meant to; nil for any other.
  static func refusal(of path: String) -> StorageError? {
    problem(of: path).map { .unusablePath(path: path, reason: $0) }
  }

  /// Throws if a path would lead elsewhere than it was meant to.
  package static func requireUsable(_ path: String) throws(StorageError) {
    if let refusal = refusal(of: path) { throw refusal }
  }

  /// Returns why a path leads elsewhere, in words; nil if it is as it was given.
  private static func problem(of path: String) -> String? {
    // A URL with other bytes has an empty path.
    if path.isEmpty { return "it is not UTF-8 text" }
    if path.utf8.contains(0) { return "it contains a zero byte" }
    guard isRepaired(path) else { return nil }
    return repairedSource(of: path).map { "\($0) is not UTF-8 text" }
  }

  /// The source of a path, if it had to be repaired: a file may have U+FFFD in its name.
  private static func repairedSource(of path: String) -> String? {
    let isPart = { (text: String) in isRepaired(text) && path.utf8.contains(text.utf8) }
    // PWD is the working directory, set by shells.
    for (name, value) in ProcessInfo.processInfo.environment.sorted(by: { $0.key < $1.key })
    where name != "PWD" && isPart(value) {
      if let bytes = getenv(name), String(validatingCString: bytes) == nil { return name }
    }
    for (number, argument) in CommandLine.arguments.enumerated() where isPart(argument) {
      if let bytes = CommandLine.unsafeArgv[number], String(validatingCString: bytes) == nil {
        return "argument \(number)"
      }
    }
    guard let bytes = getcwd(nil, 0) else { return nil }
    defer { free(bytes) }
    return String(validatingCString: bytes) == nil && isPart(String(cString: bytes))
      ? "the working directory" : nil
  }

  private static func isRepaired(_ text: String) -> Bool {
    text.unicodeScalars.contains("\u{FFFD}")
  }
}
