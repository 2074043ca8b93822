internal import FoundationEssentials
internal import Glibc

/// An open file, closed at the end of its lifetime.
final class OpenFile: Sendable {
  let path: String
  let descriptor: Int32

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Reads all bytes; nil for a directory, a pipe or the like.
  func contents() throws -> Data? { try byteCount().map { try read($0, at: 0) } }

  /// Returns the number of bytes, or nil for a directory, a pipe or the like.
  func byteCount() throws -> Int? {
    var status = stat()
    try DiskError.check(.read, path) { fstat(descriptor, &status) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
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

  /// Writes the bytes of `data` after those written before.
  func write(_ data: Data) throws {
    for region in data.regions {
      try region.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let part = UnsafeRawBufferPointer(rebasing: rest)
          let count = try DiskError.check(.write, path) {
            Glibc.write(descriptor, part.baseAddress, part.count)
          }
          rest = rest.dropFirst(count)
        }
      }
    }
  }

  func flush() throws { try DiskError.check(.flush, path) { fsync(descriptor) } }
}
