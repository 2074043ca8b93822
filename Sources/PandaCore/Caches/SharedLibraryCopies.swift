package import FoundationEssentials
package import Pantry
package import PantryPostgres
internal import SystemSupport

/// Copies on this machine of a library on a server.
///
/// The newest rows are in `$XDG_CACHE_HOME/panda/shared`, one file a namespace; pictures are where
/// the copies for other programs are (``PictureFileCache``). All may be deleted at any time.
package actor SharedLibraryCopies: PostgresCopies {
  private let executor = QueueExecutor(label: "panda.shared-copies")
  private let files: CacheFiles
  private let pictures: PictureFileCache
  private let name: String

  /// The copies' own serial queue, on which they wait for the disk.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates the copies of a library; of pictures, those that were used least recently go.
  ///
  /// - Parameters:
  ///   - name: distinguishes libraries.
  ///   - directory: the directory of the rows.
  ///   - pictures: keeps the pictures.
  package init(
    of name: String, directory: StorageDirectory = .caches(appendingPath: "panda/shared"),
    pictures: PictureFileCache = PictureFileCache()
  ) {
    files = CacheFiles(directory: directory.url)
    self.pictures = pictures
    self.name = name
    Task { await pictures.removeOldest() }
  }

  package func attachment(_ digest: ContentDigest) async -> Data? {
    await pictures.data(of: digest)
  }

  package func keep(_ attachment: Data, as digest: ContentDigest) async {
    await pictures.keep(attachment, as: digest)
  }

  package func newestRows(of namespace: String) -> PostgresNewestRows? {
    guard let data = files.read(file(of: namespace)) else { return nil }
    // Another version's copy counts as none.
    return try? PropertyListDecoder().decode(PostgresNewestRows.self, from: data)
  }

  package func keep(_ rows: PostgresNewestRows, of namespace: String) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // Without a copy, the next start waits for the server.
    guard let data = try? encoder.encode(rows) else { return }
    _ = try? files.write(data, file(of: namespace))  // no copy then
  }

  private func file(of namespace: String) -> String { "\(name)-\(namespace).plist" }
}
