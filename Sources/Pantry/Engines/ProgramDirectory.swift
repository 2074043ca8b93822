internal import FoundationEssentials
internal import Glibc

/// The directory of a program's files below a base directory, with a stable name.
///
/// It is named after the calling module, since an executable may be renamed, linked and installed
/// under any name. Version 0.1.0 named it after the process; that directory is adopted once, by a
/// symbolic link, so that nothing is moved while another process has it open.
struct ProgramDirectory {
  let base: URL
  /// The possible former names, newest first.
  let formerNames: [String]
  let name: String

  /// - Parameters:
  ///   - fileID: the `#fileID` of the calling code.
  ///   - formerTypes: full names of types; their modules may have named the directory before.
  init(in base: URL, fileID: String, formerTypes: [String] = []) {
    self.base = base
    let name = Self.module(fileID, endingAt: "/")
    self.name = name
    let modules = formerTypes.map { Self.module($0, endingAt: ".") }
    formerNames = (modules + [ProcessInfo.processInfo.processName]).filter { $0 != name }
  }

  /// Returns the directory that contains one of `names`, or that will contain them.
  ///
  /// - Complexity: a few file system calls, on the caller's thread.
  func holding(_ names: String...) -> StorageDirectory {
    let directory = base.appending(path: name)
    let isThere = { (url: URL) in
      names.contains { access(Self.path(url.appending(path: $0)), F_OK) == 0 }
    }
    guard !isThere(directory),
      let former = formerNames.map({ base.appending(path: $0) }).first(where: isThere)
    else { return StorageDirectory(url: directory) }
    // Fails if another process has just done the same, or has another directory there.
    _ = symlink(former.lastPathComponent, Self.path(directory))
    return StorageDirectory(url: isThere(directory) ? directory : former)
  }

  private static func module(_ text: String, endingAt separator: Character) -> String {
    String(text.prefix { $0 != separator })
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
