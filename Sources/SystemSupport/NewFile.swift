package import FoundationEssentials
internal import Glibc

/// A file that gets its name when it is complete: the one way to write a file atomically.
///
/// Until then it has another name beside it. It is removed with the last reference to it; after a
/// kill, by those who know that name.
package final class NewFile {
  private let folder: OpenFolder
  private let name: String
  private let temporary: String
  private let file: OpenFile
  private var isPublished = false

  /// Creates a file that will be called `name`; what a killed process left under its temporary name
  /// is removed.
  ///
  /// - Parameter temporary: the name until then, of a file for its owner only (0600).
  package convenience init(
    _ name: String, in folder: OpenFolder, through temporary: String
  ) throws {
    try folder.beforeChange?(.write(temporary))
    unlinkat(folder.descriptor, temporary, 0)
    let descriptor = try folder.check(.write, name) {
      Descriptors.create(temporary, O_WRONLY, in: folder.descriptor)
    }
    self.init(name, in: folder, through: temporary, descriptor)
  }

  /// Creates a file that will be called `name`, and has an ``UnfinishedName`` until then.
  ///
  /// - Parameter mode: its mode, to which the process's umask applies.
  package convenience init(
    _ name: String, in folder: OpenFolder, mode: UInt32
  ) throws(FileError) {
    let (temporary, descriptor) = UnfinishedName.create {
      Descriptors.create($0, mode: mode, in: folder.descriptor)
    }
    guard descriptor >= 0 else { throw FileError(.write, folder.path(of: name), code: errno) }
    self.init(name, in: folder, through: temporary, descriptor)
  }

  /// Creates a file that will be at `path`, whose directory must exist, readable by others.
  ///
  /// What killed processes have left beside it is removed.
  package convenience init(at path: String) throws(FileError) {
    let folder = try OpenFolder(parentOf: path)
    UnfinishedName.removeRemnants(in: folder)
    try self.init(OpenFolder.name(in: path), in: folder, mode: 0o644)
  }

  private init(
    _ name: String, in folder: OpenFolder, through temporary: String, _ descriptor: Int32
  ) {
    self.folder = folder
    self.name = name
    self.temporary = temporary
    file = OpenFile(descriptor: descriptor, path: folder.path(of: name))
  }

  deinit {
    if !isPublished { try? folder.remove(temporary) }  // what is left is never read
  }

  package func write(_ data: Data) throws(FileError) { try file.write(data) }

  /// Flushes the bytes, without which a power failure may leave the name with fewer of them.
  package func flush() throws {
    try folder.beforeChange?(.flush)
    try file.flush()
  }

  /// Gives the file its name.
  ///
  /// - Parameter replacing: whether a file of that name is replaced; otherwise it is an error
  ///   (`EEXIST`).
  package func publish(replacing: Bool = true) throws {
    try folder.publish(temporary, as: name, replacing: replacing)
    isPublished = true
  }

  /// Gives the file its name, and returns when both are on disk.
  package func finish(replacing: Bool = true) throws {
    try flush()
    try publish(replacing: replacing)
    try folder.flush()
  }
}
