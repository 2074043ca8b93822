internal import FoundationEssentials
internal import Glibc

/// The directory of a program's files below a base directory, by a name that stays the same.
///
/// It is named after the module whose code asks for it: an executable may be renamed, linked and
/// installed under any name. Version 0.1.0 named it after the process; what it left there is
/// adopted once, by a symbolic link, so that nothing is moved while another process has it open.
struct ProgramDirectory {
  let base: URL
  /// The names it may have been given before, the newest first.
  let formerNames: [String]
  let name: String

  /// - Parameters:
  ///   - fileID: the `#fileID` of the code that asks.
  ///   - formerTypes: full names of types; their modules may have asked before this one.
  init(in base: URL, fileID: String, formerTypes: [String] = []) {
    self.base = base
    let name = Self.module(fileID, endingAt: "/")
    self.name = name
    let modules = formerTypes.map { Self.module($0, endingAt: ".") }
    formerNames = (modules + [ProcessInfo.processInfo.processName]).filter { $0 != name }
  }

  /// The directory that has one of `names` in it, or that is to have them.
  ///
  /// - Complexity: a few looks at the file system, on the caller's thread.
  func holding(_ names: String...) -> StorageDirectory {
    let directory = base.appending(path: name)
    let isThere = { (url: URL) in
      names.contains { access(Self.path(url.appending(path: $0)), F_OK) == 0 }
    }
    guard !isThere(directory),
      let former = formerNames.map({ base.appending(path: $0) }).first(where: isThere)
    else { return StorageDirectory(url: directory) }
    // Fails if another process has just done the same, or has a directory there for something else.
    _ = symlink(former.lastPathComponent, Self.path(directory))
    return StorageDirectory(url: isThere(directory) ? directory : former)
  }

  private static func module(_ text: String, endingAt separator: Character) -> String {
    String(text.prefix { $0 != separator })
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
