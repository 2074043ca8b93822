internal import Glibc

/// The commands to type in place of an export to a tar archive, or an import from one.
enum TarLines {
  /// Returns the lines for the name of an archive; nil for another name.
  static func inPlaceOfExport(to path: String) -> String? {
    let name = path.split(separator: "/").last?.lowercased() ?? ""
    guard name.contains(".tar.") || endings.contains(where: name.hasSuffix) else { return nil }
    return "export writes a directory or a page; for an archive, use "
      + "\"panda export panda-favorites && tar caf \(quoted(path)) panda-favorites\""
  }

  private static let endings = [".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst"]

  /// Returns the lines for a file, whatever is in it; nil if there is none.
  static func inPlaceOfImport(from path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return "import takes a directory; for an archive, use "
      + "\"tar xf \(quoted(path)) && panda import panda-favorites\""
  }

  /// Returns a path as a word of a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      $0 >= 0x80 || UnicodeScalar($0).properties.isAlphabetic
        || "0123456789/._-+,@%".utf8.contains($0)
    }
    let word = path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''").sanitized(upTo: Int(PATH_MAX))
    return isPlain ? word : "'\(word)'"
  }
}
