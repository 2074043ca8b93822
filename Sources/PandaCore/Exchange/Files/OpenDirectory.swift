internal import CPantryFileSystem
internal import FoundationEssentials
internal import Glibc

/// An open directory; every name is looked up in it, so that no call leaves it.
final class OpenDirectory: Sendable {
  let path: String
  let descriptor: Int32

  init(_ path: String) throws(ExchangeError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExchangeError(.cannotRead(errno), path: path) }
  }

  /// Opens a directory to create `file` in it, which is what errors are about.
  convenience init(_ path: String, for file: String) throws(ExchangeError) {
    do {
      try self.init(path)
    } catch {
      guard case .cannotRead(let code) = error.kind else { throw error }
      throw ExchangeError(.cannotWrite(code), path: file)
    }
  }

  /// Opens the directory of a file that is to be created at `path`.
  convenience init(parentOf path: String) throws(ExchangeError) {
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try self.init(parent, for: path)
  }

  deinit { close(descriptor) }

  /// The path of an entry, for messages.
  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  /// Opens a file for reading; nil if there is none.
  ///
  /// - Throws: an error about the entry if it is a link, a directory, a pipe or a device.
  func file(_ name: String) throws(ExchangeError) -> SourceFile? {
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw ExchangeError(.entry(name, .link), path: path)
      case ENXIO: throw ExchangeError(.entry(name, .notAFile), path: path)
      case let code: throw ExchangeError(.cannotRead(code), path: self.path(of: name))
      }
    }
    let source = try SourceFile(file, path: self.path(of: name))
    guard source.isRegular else { throw ExchangeError(.entry(name, .notAFile), path: path) }
    return source
  }

  /// Lists the names in it, without `.` and `..`.
  func names() throws(ExchangeError) -> [String] {
    // A separate descriptor: the position in a directory belongs to the open file description.
    let listed = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listed >= 0, let stream = fdopendir(listed) else {
      throw ExchangeError(.cannotRead(errno), path: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // A name that is not UTF-8 is repaired here, and so is none of ours.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a file; its failure leaves the file there, which does no harm.
  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Flushes the names; not every file system can.
  func flush() { _ = fsync(descriptor) }

  /// Flushes all files of the file system at once: one by one, ten thousand take many seconds.
  func flushFiles() throws(ExchangeError) {
    guard syncfs(descriptor) == 0 else { throw ExchangeError(.cannotWrite(errno), path: path) }
  }
}
