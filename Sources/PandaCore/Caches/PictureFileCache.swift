package import FoundationEssentials
package import Pantry
internal import PictureCodecs
internal import SystemSupport

/// Copies of picture files for other programs, in `$XDG_CACHE_HOME/panda/pictures`.
///
/// A copy has the digest of its bytes as its name, and mode 0400: what a program is to change, it
/// saves elsewhere. The directory may be deleted at any time.
package actor PictureFileCache {
  private let executor = QueueExecutor(label: "panda.picture-files")
  private let files: CacheFiles
  private let limit: Int
  private let now: @Sendable () -> Date

  /// The cache's own serial queue, on which it waits for the disk.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a cache in a directory, which need not exist.
  ///
  /// - Parameters:
  ///   - directory: the directory of the files.
  ///   - limit: the size in bytes over which ``removeOldest()`` removes files.
  package init(
    directory: StorageDirectory = .caches(appendingPath: "panda/pictures"),
    limit: Int = 512 << 20, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    files = CacheFiles(directory: directory.url)
    self.limit = limit
    self.now = now
  }

  /// Returns the path of a copy of a picture's file, made if it is not there.
  ///
  /// - Throws: any error of reading the picture, and Foundation's of writing the copy.
  package func path(of picture: Attachment) async throws -> String {
    let name = picture.digest.hexadecimal
    for ending in Self.endings {
      if let path = files.path(of: "\(name).\(ending)", byteCount: picture.byteCount) {
        return path
      }
    }
    return try write(try await picture.data(), name)
  }

  /// Returns the bytes of a copy; nil if there is none.
  ///
  /// They may have been changed: compare their digest.
  func data(of digest: ContentDigest) -> Data? {
    Self.endings.lazy.compactMap { self.files.read("\(digest.hexadecimal).\($0)") }.first
  }

  /// Keeps a copy of bytes; a failure leaves none.
  func keep(_ data: Data, as digest: ContentDigest) {
    // A missing copy is read again.
    _ = try? write(data, digest.hexadecimal)
  }

  private func write(_ data: Data, _ name: String) throws -> String {
    let format = data.withUnsafeBytes { PictureFormat(sniffing: $0) }
    return try files.write(
      data, "\(name).\(format?.filenameExtension ?? "bin")", isReadOnly: true)
  }

  /// Removes the least recently used copies over the limit, except those used since yesterday,
  /// which may still be in use.
  package func removeOldest() {
    // The time of last use is up to a day behind.
    files.evict(over: limit, usedBefore: now().addingTimeInterval(-2 * 86_400))
  }

  /// The file extensions of the formats that can be favorites.
  private static let endings = ["jpg", "png", "webp", "gif", "heic", "avif", "bin"]
}
