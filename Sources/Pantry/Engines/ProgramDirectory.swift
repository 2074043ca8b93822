internal import FoundationEssentials
internal import Glibc

/// The directory of a program's files below a base directory, with a stable name.
///
/// It is named after the calling module, since an executable may be renamed, linked and installed
/// under any name. One that is named after a former module is adopted once, by a symbolic link, so
/// that nothing is moved while another process has it open. Version 0.1.0 named it after the
/// process: version 0.2.0 made such a link, and what it has not adopted is refused by its files.
struct ProgramDirectory {
  let base: URL
  /// The former modules, newest first.
  private let formerModules: [String]
  let name: String

  /// - Parameters:
  ///   - fileID: the `#fileID` of the calling code.
  ///   - formerTypes: full names of types; their modules may have named the directory before.
  init(in base: URL, fileID: String, formerTypes: [String] = []) {
    self.base = base
    let name = Self.module(fileID, endingAt: "/")
    self.name = name
    formerModules = formerTypes.map { Self.module($0, endingAt: ".") }.filter { $0 != name }
  }

  /// Returns the directory that contains one of `names`, or that will contain them.
  ///
  /// - Parameter names: names of files; the first one is as in version 0.1.0.
  /// - Complexity: a few file system calls, on the caller's thread.
  func holding(_ names: String...) -> StorageDirectory {
    let directory = base.appending(path: name)
    let isThere = { (url: URL) in
      names.contains { access(Self.path(url.appending(path: $0)), F_OK) == 0 }
    }
    let own = StorageDirectory(url: directory, module: name)
    guard !isThere(directory) else { return own }
    let modules = formerModules.map { base.appending(path: $0) }
    if let former = modules.first(where: isThere), former != directory {
      // Fails if another process has just done the same, or has another directory there.
      _ = symlink(former.lastPathComponent, Self.path(directory))
      return isThere(directory) ? own : StorageDirectory(url: former, module: name)
    }
    let process = base.appending(path: ProcessInfo.processInfo.processName)
    // A directory in the place of the link kept 0.2.0 from making it.
    guard isThere(process), !Self.isAbsent(directory) || Self.isOfFirstVersion(process, names)
    else { return own }
    return StorageDirectory(url: process, module: name)
  }

  /// Whether no version after 0.1.0 has written to the directory.
  ///
  /// Version 0.1.0 wrote schema 1 or 2, and all values in one file.
  private static func isOfFirstVersion(_ directory: URL, _ names: [String]) -> Bool {
    guard names.dropFirst().allSatisfy({ isAbsent(directory.appending(path: $0)) }) else {
      return false
    }
    let database = directory.appending(path: "pantry.sqlite")
    guard !isAbsent(database) else { return true }
    // A file that cannot be read is left to its owner. The header has user_version at 60
    // (https://sqlite.org/fileformat2.html#the_database_header).
    guard FileStamp(path: path(database))?.isPlain == true,
      let file = try? Data(contentsOf: database, options: .mappedIfSafe),  // unreadable: not ours
      file.count >= 64
    else { return false }
    return file[60..<64].reduce(0) { $0 << 8 | Int($1) } <= 2
  }

  private static func isAbsent(_ url: URL) -> Bool { FileIdentity.isAbsent(path(url)) }

  private static func module(_ text: String, endingAt separator: Character) -> String {
    String(text.prefix { $0 != separator })
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
