internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import SystemSupport

/// A symbolic link, such as that of a wallpaper, to a copy of a picture that stays.
///
/// The copies are in a directory of their own, one for each link.
struct PictureLink {
  /// The path of the link, in a directory that exists.
  let path: String
  private let copies: URL
  /// What the names of the link's copies begin with.
  private let prefix: String

  /// - Parameters:
  ///   - typed: the path of the link.
  ///   - copies: the directory of the copies, which need not exist.
  /// - Throws: `FileError` if the directory of the link does not exist; ``CommandFailure`` for a
  ///   name that only a directory can have.
  init(_ typed: String, copies: StorageDirectory) throws {
    let name = OpenFolder.name(in: typed)
    guard !name.isEmpty else { throw Self.refusal(of: typed, "a directory") }
    let folder = try OpenFolder(parentOf: typed)
    guard let resolved = realpath(folder.path, nil) else {
      throw FileError(.write, typed, code: errno)
    }
    defer { free(resolved) }
    path = String(cString: resolved) + "/" + name
    self.copies = copies.url
    prefix = String(PictureID(address: path).digits.prefix(16)) + "-"
  }

  /// Makes the link lead to a copy of a picture; nothing in between is ever there.
  ///
  /// - Throws: ``CommandFailure`` if something else has the link's name; `FileError`, or
  ///   Foundation's error of creating the directory.
  func lead(to data: Data, of picture: Attachment) throws {
    try requireOwn()
    try FileManager.default.createDirectory(
      at: copies, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let ending = data.withUnsafeBytes { PictureFormat(sniffing: $0) }?.filenameExtension ?? "bin"
    let name = "\(prefix)\(picture.digest.hexadecimal.prefix(16)).\(ending)"
    let folder = try OpenFolder(copies.path(percentEncoded: false))
    // Another one for the same link would remove this one's copy. It ends with the folder.
    while flock(folder.descriptor, LOCK_EX) != 0, errno == EINTR {}
    let file = try NewFile(name, in: folder, mode: 0o600)
    try file.write(data)
    try file.finish()
    try replace(by: copies.appending(path: name).path(percentEncoded: false))
    // After a power failure the old link would lead to nothing.
    try OpenFolder(parentOf: path).flush()
    // Only one copy is kept for each link; what is left goes the next time.
    for other in try folder.names() where other.hasPrefix(prefix) && other != name {
      try folder.remove(other)
    }
  }

  private func replace(by target: String) throws {
    let temporary = path + ".panda-\(getpid())"
    unlink(temporary)
    guard symlink(target, temporary) == 0 else { throw FileError(.write, path, code: errno) }
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw FileError(.write, path, code: code)
    }
  }

  /// Refuses to replace what is no link into the directory of the copies.
  private func requireOwn() throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw FileError(.write, path, code: errno) }
      return
    }
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFLNK: "a link to another place"
      case S_IFDIR: "a directory"
      default: "a file"
      }
    if status.st_mode & S_IFMT == S_IFLNK,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),  // not ours
      URL(filePath: target).deletingLastPathComponent().standardizedFileURL.path
        == copies.standardizedFileURL.path
    {
      return
    }
    throw Self.refusal(of: path, kind)
  }

  private static func refusal(of path: String, _ kind: String) -> CommandFailure {
    CommandFailure(
      "\(path.forMessage) is \(kind), which is not replaced: name what does not exist yet, or a "
        + "link that panda made", .usage)
  }
}
