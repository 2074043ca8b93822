internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// Files in a directory that may be emptied at any time.
///
/// Reading never throws: an unreadable file counts as absent. Used from one queue at a time; other
/// processes may use the directory as well.
struct CacheFiles: Sendable {
  let directory: URL

  /// Returns the bytes of a file; nil if there are none.
  func read(_ name: String) -> Data? {
    let file = directory.appending(path: name)
    // A pipe would be waited for.
    guard Self.status(of: file.path(percentEncoded: false)) != nil,
      let data = try? Data(contentsOf: file), !data.isEmpty  // absent or unreadable: no file
    else { return nil }
    markUsed(file.path)
    return data
  }

  /// Returns the path of a file that has `byteCount` bytes, and marks it as used; nil without one.
  func path(of name: String, byteCount: Int) -> String? {
    let path = directory.appending(path: name).path(percentEncoded: false)
    guard let status = Self.status(of: path), Int(status.st_size) == byteCount else { return nil }
    markUsed(path)
    return path
  }

  /// Writes a file atomically, and returns its path.
  ///
  /// It is not flushed: what a power failure makes of it counts as damaged, or is made again.
  ///
  /// - Throws: Foundation's error of creating the directory; `FileError`.
  @discardableResult
  func write(_ data: Data, _ name: String, isReadOnly: Bool = false) throws -> String {
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let folder = try OpenFolder(directory.path(percentEncoded: false))
    let file = try NewFile(name, in: folder, mode: isReadOnly ? 0o400 : 0o600)
    try file.write(data)
    try file.publish()
    return directory.appending(path: name).path(percentEncoded: false)
  }

  /// Removes the least recently used files until the rest have at most `limit` bytes.
  ///
  /// - Parameter date: files used at or after it stay, whatever they add up to.
  func evict(over limit: Int, usedBefore date: Date = .distantFuture) {
    let listed = try? FileManager.default.contentsOfDirectory(  // no directory: nothing in it
      atPath: directory.path)
    let names = listed ?? []
    var files: [(path: String, byteCount: Int, used: Int)] = []
    for name in names {
      let path = directory.appending(path: name).path(percentEncoded: false)
      guard let status = Self.status(of: path) else { continue }
      files.append((path, Int(status.st_size), status.st_mtim.tv_sec))
    }
    var total = files.reduce(0) { $0 + $1.byteCount }
    for file in files.sorted(by: { $0.used < $1.used })
    where total > limit && Double(file.used) < date.timeIntervalSince1970 {
      if unlink(file.path) == 0 { total -= file.byteCount }
    }
  }

  /// The status of a regular file; nil for anything else.
  private static func status(of path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
  }

  /// Updates the time of last use, at most once a day: more would turn reads into writes.
  private func markUsed(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mtim.tv_sec < time(nil) - 86_400 else { return }
    utimensat(AT_FDCWD, path, nil, 0)
  }
}
