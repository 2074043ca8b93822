internal import Glibc
internal import SystemSupport

/// The directory of a file and its name there, from which all paths beside it are made.
///
/// SQLite keeps the log of a database beside the file that a symbolic link leads to; so do the
/// files of Pantry. All else is left to the kernel: a directory that is a link, and `..`.
///
/// Paths are compared as bytes.
package struct FileLocation: Sendable {
  /// The directory, without a slash at its end, unless it is the root.
  package let directory: String
  package let name: String

  /// Splits a path at its last slash.
  package init(_ path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let parent = slash.map { path[..<$0] } ?? "."
    directory = parent.isEmpty ? "/" : String(parent)
  }

  /// The place of the file that a path leads to, through any number of symbolic links; it need not
  /// exist.
  ///
  /// The last link stands for a file that cannot be found: in a circle, or under a name that is not
  /// UTF-8 text.
  package init(followingLinksFrom path: String) {
    var place = FileLocation(path)
    // The kernel's limit (path_resolution(7)).
    for _ in 0..<40 {
      guard let target = Self.target(ofLink: place.path) else { break }
      place = FileLocation(
        target.utf8.first == UInt8(ascii: "/") ? target : place.sibling(target).path)
    }
    self = place
  }

  private init(directory: String, name: String) {
    self.directory = directory
    self.name = name
  }

  package var path: String { directory == "/" ? directory + name : directory + "/" + name }

  package func sibling(_ name: String) -> FileLocation {
    FileLocation(directory: directory, name: name)
  }

  /// Returns the paths of the files beside it whose names begin with its name and `suffix`, sorted;
  /// none if the directory cannot be read.
  package func siblings(withSuffix suffix: String) -> [String] {
    let prefix = (name + suffix).utf8
    // Files in a directory that cannot be listed are not needed.
    let names = DirectoryNames.read(Descriptors.openDirectory(directory)) ?? []
    // Not `hasPrefix`, for which texts are equal that are different names.
    return names.filter { $0.utf8.starts(with: prefix) }.sorted().map { sibling($0).path }
  }

  /// The one path without links, `.` and `..` that leads to the place, as bytes.
  ///
  /// It is the same before and after missing directories are created.
  package var canonicalPath: [UInt8] {
    let directory = Self.canonical(self.directory, depth: 0)
    return (directory == [UInt8(ascii: "/")] ? [] : directory) + [UInt8(ascii: "/")] + name.utf8
  }

  private static func canonical(_ directory: String, depth: Int) -> [UInt8] {
    if let resolved = realpath(directory, nil) {
      defer { free(resolved) }
      return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved)))
        .map { UInt8(bitPattern: $0) }
    }
    let missing = FileLocation(followingLinksFrom: directory)
    guard depth < 1_000, missing.directory != "." || missing.name != "." else {
      return Array(directory.utf8)
    }
    let parent = canonical(missing.directory, depth: depth + 1)
    switch missing.name {
    case "", ".": return parent
    // There is no link below a missing directory.
    case "..": return Array(parent[..<(parent.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
    default: return parent + [UInt8(ascii: "/")] + missing.name.utf8
    }
  }

  /// The text of a symbolic link; nil if there is none, or if it is not UTF-8.
  private static func target(ofLink path: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &text, text.count)
    return count > 0
      ? String(validating: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
