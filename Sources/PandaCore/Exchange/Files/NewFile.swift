internal import FoundationEssentials
internal import Glibc

/// A file that gets its name when it is complete.
///
/// Until then it has a hidden name, and it is removed with the last reference to it.
final class NewFile {
  private static let temporaryPrefix = ".panda-"
  private static let temporarySuffix = ".tmp"

  private let directory: OpenDirectory
  private let name: String
  private let temporary: String
  private var isPublished = false
  /// The open file, for libarchive.
  let descriptor: Int32

  /// Creates a file that will be at `path`, whose directory must exist.
  convenience init(at path: String) throws(ExchangeError) {
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    try self.init(name, in: OpenDirectory(parent, for: path))
  }

  /// Creates a file that will be called `name`.
  init(_ name: String, in directory: OpenDirectory) throws(ExchangeError) {
    self.directory = directory
    self.name = name
    let number = String(UInt64.random(in: 0 ... .max), radix: 36)
    temporary = "\(Self.temporaryPrefix)\(number)\(Self.temporarySuffix)"
    // The process's umask applies to the mode.
    descriptor = openat(
      directory.descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ExchangeError(.cannotWrite(errno), path: directory.path(of: name))
    }
  }

  deinit {
    close(descriptor)
    if !isPublished { directory.remove(temporary) }
  }

  /// Returns whether a name is that of a file before its end.
  static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(temporaryPrefix) && name.hasSuffix(temporarySuffix)
  }

  /// Appends bytes.
  func write(_ data: Data) throws(ExchangeError) {
    for region in data.regions {
      var written = 0
      while written < region.count {
        let count = region.withUnsafeBytes { bytes in
          Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
        }
        if count < 0 {
          if errno == EINTR { continue }
          throw failure(errno)
        }
        written += count
      }
    }
  }

  /// Gives the file its name.
  ///
  /// - Parameters:
  ///   - replacing: whether a file of that name is replaced; otherwise it is an error.
  ///   - flushing: whether file and name are on disk when this returns.
  func publish(replacing: Bool, flushing: Bool = true) throws(ExchangeError) {
    if flushing, fsync(descriptor) != 0 { throw failure(errno) }
    if replacing || !linkUnlessTaken() {
      guard renameat(directory.descriptor, temporary, directory.descriptor, name) == 0 else {
        throw failure(errno)
      }
    } else {
      guard isLinked else { throw ExchangeError(.notOurs, path: directory.path(of: name)) }
      directory.remove(temporary)
    }
    isPublished = true
    if flushing { directory.flush() }
  }

  private var isLinked = false

  /// Gives it the name by link(2), which replaces nothing; false if there are no hard links.
  private func linkUnlessTaken() -> Bool {
    isLinked = linkat(directory.descriptor, temporary, directory.descriptor, name, 0) == 0
    return isLinked || errno == EEXIST
  }

  private func failure(_ code: Int32) -> ExchangeError {
    ExchangeError(.cannotWrite(code), path: directory.path(of: name))
  }
}
