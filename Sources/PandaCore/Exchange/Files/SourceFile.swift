internal import FoundationEssentials
internal import Glibc
internal import Pantry

/// A file that is read, closed with the last reference to it.
final class SourceFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// The size when the file was opened.
  let byteCount: Int
  let isRegular: Bool
  let isDirectory: Bool

  /// Opens the file or directory at `path`, which may be a symbolic link; never waits for a pipe.
  convenience init(opening path: String) throws(ExchangeError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw ExchangeError(.cannotRead(errno), path: path) }
    try self.init(descriptor, path: path)
  }

  /// Takes over an open descriptor.
  init(_ descriptor: Int32, path: String) throws(ExchangeError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw ExchangeError(.cannotRead(code), path: path)
    }
    self.descriptor = descriptor
    self.path = path
    byteCount = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
  }

  deinit { close(descriptor) }

  /// Reads at most `count` bytes from the beginning.
  func read(_ count: Int) throws(ExchangeError) -> Data {
    var data = Data(count: min(count, byteCount))
    var found = 0
    while found < data.count {
      let received = data.withUnsafeMutableBytes { bytes in
        pread(descriptor, bytes.baseAddress! + found, bytes.count - found, off_t(found))
      }
      if received < 0 {
        if errno == EINTR { continue }
        throw ExchangeError(.cannotRead(errno), path: path)
      }
      // It was truncated meanwhile: the digest will not match.
      if received == 0 { break }
      found += received
    }
    return found == data.count ? data : data.prefix(found)
  }
}
