package import FoundationEssentials
internal import Glibc

/// An open file, closed at the end of its lifetime.
package final class OpenFile: Sendable {
  package let path: String
  package let descriptor: Int32

  package init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the file at `path`, which may be a symbolic link; never waits for a pipe.
  package convenience init(reading path: String) throws(FileError) {
    let descriptor = try FileError.check(.read, path) { Descriptors.open(path, O_RDONLY) }
    self.init(descriptor: descriptor, path: path)
  }

  deinit { close(descriptor) }

  /// Reads all bytes; nil for a directory, a pipe or the like.
  package func contents() throws(FileError) -> Data? {
    guard let count = try byteCount() else { return nil }
    return try read(count, at: 0)
  }

  /// Returns the number of bytes, or nil for a directory, a pipe or the like.
  package func byteCount() throws(FileError) -> Int? {
    var status = stat()
    try FileError.check(.read, path) { fstat(descriptor, &status) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Reads at most `count` bytes from `offset`.
  package func read(_ count: Int, at offset: Int) throws(FileError) -> Data {
    var data = Data(count: count)
    var found = 0
    while found < count {
      let read = try FileError.check(.read, path) {
        data.withUnsafeMutableBytes { bytes in
          pread(descriptor, bytes.baseAddress! + found, count - found, off_t(offset + found))
        }
      }
      if read == 0 { break }
      found += read
    }
    return found == count ? data : Data(data.prefix(found))
  }

  /// Writes the bytes of `data` after those written before.
  package func write(_ data: Data) throws(FileError) {
    for region in data.regions {
      var written = 0
      while written < region.count {
        written += try FileError.check(.write, path) {
          region.withUnsafeBytes { bytes in
            Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
          }
        }
      }
    }
  }

  package func flush() throws(FileError) { try FileError.check(.flush, path) { fsync(descriptor) } }
}
