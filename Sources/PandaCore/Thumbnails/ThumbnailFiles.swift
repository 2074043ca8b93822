internal import FoundationEssentials
internal import Glibc

/// Small files in a directory that may be emptied at any time.
///
/// Nothing here throws: an unreadable file counts as absent, and one that cannot be written is
/// recreated the next time. Used from one queue at a time; other processes may use the directory as
/// well.
struct ThumbnailFiles: Sendable {
  let directory: URL

  /// Returns the bytes of a file; nil if there are none.
  func read(_ name: String) -> Data? {
    let file = directory.appending(path: name)
    guard let data = try? Data(contentsOf: file), !data.isEmpty  // absent or unreadable: no file
    else { return nil }
    markUsed(file.path)
    return data
  }

  /// Writes a file atomically.
  func write(_ data: Data, _ name: String) {
    let manager = FileManager.default
    // Without a directory there is no cache; the write below fails too.
    try? manager.createDirectory(  // see above
      at: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // A full or read-only disk: the thumbnail is recreated next time.
    try? data.write(to: directory.appending(path: name), options: .atomic)  // see above
  }

  /// Removes the least recently used files until the rest have at most `limit` bytes.
  func evict(over limit: Int) {
    let listed = try? FileManager.default.contentsOfDirectory(  // no directory: nothing in it
      atPath: directory.path)
    let names = listed ?? []
    var files: [(path: String, byteCount: Int, used: Int)] = []
    for name in names {
      let path = directory.appending(path: name).path
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append((path, Int(status.st_size), status.st_mtim.tv_sec))
    }
    var total = files.reduce(0) { $0 + $1.byteCount }
    for file in files.sorted(by: { $0.used < $1.used }) where total > limit {
      if unlink(file.path) == 0 { total -= file.byteCount }
    }
  }

  /// Updates the time of last use, at most once a day: more would turn reads into writes.
  private func markUsed(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mtim.tv_sec < time(nil) - 86_400 else { return }
    utimensat(AT_FDCWD, path, nil, 0)
  }
}
