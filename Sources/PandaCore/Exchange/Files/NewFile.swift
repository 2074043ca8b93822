package import FoundationEssentials
internal import Glibc

/// A file that gets its name when it is complete.
///
/// Until then it has a hidden name, and it is removed with the last reference to it; after a kill,
/// with the next file at that place (``UnfinishedName``).
package final class NewFile {
  private let directory: OpenDirectory
  private let name: String
  private let temporary: String
  private var isPublished = false
  private let descriptor: Int32

  /// Creates a file that will be at `path`, whose directory must exist.
  package convenience init(at path: String) throws(ExchangeError) {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let directory = try OpenDirectory(parentOf: path)
    UnfinishedName.removeRemnants(in: directory)
    try self.init(name, in: directory)
  }

  /// Creates a file that will be called `name`.
  init(_ name: String, in directory: OpenDirectory) throws(ExchangeError) {
    self.directory = directory
    self.name = name
    // The process's umask applies to the mode.
    (temporary, descriptor) = UnfinishedName.create {
      openat(directory.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    }
    guard descriptor >= 0 else {
      throw ExchangeError(.cannotWrite(errno), path: directory.path(of: name))
    }
  }

  deinit {
    close(descriptor)
    if !isPublished { directory.remove(temporary) }
  }

  package func write(_ data: Data) throws(ExchangeError) {
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
  package func publish(replacing: Bool, flushing: Bool = true) throws(ExchangeError) {
    if flushing, fsync(descriptor) != 0 { throw failure(errno) }
    // link(2) replaces nothing.
    if !replacing,
      linkat(directory.descriptor, temporary, directory.descriptor, name, 0) == 0
    {
      directory.remove(temporary)
    } else {
      if !replacing { try reserveName() }
      guard renameat(directory.descriptor, temporary, directory.descriptor, name) == 0 else {
        let code = errno
        if !replacing { directory.remove(name) }
        throw failure(code)
      }
    }
    isPublished = true
    if flushing { directory.flush() }
  }

  /// Takes the name by an empty file where there are no hard links, as on FAT.
  private func reserveName() throws(ExchangeError) {
    let empty = openat(
      directory.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard empty >= 0 else {
      guard errno == EEXIST else { throw failure(errno) }
      throw ExchangeError(.notOurs, path: directory.path(of: name))
    }
    close(empty)
  }

  private func failure(_ code: Int32) -> ExchangeError {
    ExchangeError(.cannotWrite(code), path: directory.path(of: name))
  }
}
