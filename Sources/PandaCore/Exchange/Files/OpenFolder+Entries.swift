internal import Glibc
internal import SystemSupport

extension OpenFolder {
  /// Opens a file of an export for reading; nil if there is none.
  ///
  /// - Throws: ``ExchangeError`` if it is a link, a directory, a pipe or a device; `FileError`.
  func entry(_ name: String) throws -> OpenFile? {
    do throws(FileError) {
      guard let file = try open(name) else { return nil }
      if try file.byteCount() != nil { return file }
    } catch {
      switch error.code {
      case ELOOP: throw ExchangeError(.entry(name, .link), path: path)
      case ENXIO: break
      default: throw error
      }
    }
    throw ExchangeError(.entry(name, .notAFile), path: path)
  }

  /// Removes a file; its failure leaves the file there, which does no harm.
  func discard(_ name: String) { try? remove(name) }  // no harm
}
