internal import FoundationEssentials
internal import Glibc

/// A file open for reading, closed at the end of its lifetime.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Returns the size in bytes, or nil for a directory, a pipe or the like.
  func byteCount() throws -> Int? { try stamp()?.byteCount }

  /// Returns the stamp, or nil for a directory, a pipe or the like.
  func stamp() throws -> FileStamp? {
    var status = stat()
    try DiskError.check(.read, path) { fstat(descriptor, &status) }
    return status.st_mode & S_IFMT == S_IFREG ? FileStamp(status) : nil
  }

  /// Reads at most `count` bytes from `offset`.
  func read(_ count: Int, at offset: Int) throws -> Data {
    var data = Data(count: count)
    let found = try data.withUnsafeMutableBytes { bytes in
      var found = 0
      while found < bytes.count {
        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[found...])
        let read = try DiskError.check(.read, path) {
          pread(descriptor, part.baseAddress, part.count, off_t(offset + found))
        }
        if read == 0 { break }
        found += read
      }
      return found
    }
    return found == count ? data : Data(data.prefix(found))
  }
}
