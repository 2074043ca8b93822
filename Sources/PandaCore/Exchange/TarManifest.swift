/// The list of favorites in a tar archive, wherever in it that is.
struct TarManifest {
  let manifest: Manifest
  /// The directory of the list and the pictures, with a slash; empty if they are at the top.
  let directory: String

  /// Reads the archive to its end, without the pictures.
  ///
  /// - Throws: ``ExchangeError``.
  init(_ file: SourceFile, limits: ExchangeLimits) throws(ExchangeError) {
    let tar = try TarReader(file, limits: limits)
    var found: (path: String, manifest: Manifest)?
    while let entry = try tar.next() {
      guard !entry.isDirectory, Manifest.isName(entry.path) else { continue }
      guard found == nil else {
        throw ExchangeError(.entry(entry.path, .twice), path: file.path)
      }
      found = (entry.path, try Manifest(tar.read(entry), path: file.path, limits: limits))
    }
    guard let found else { throw ExchangeError(.noManifest, path: file.path) }
    manifest = found.manifest
    directory = String(found.path.dropLast(Manifest.filename.count))
  }

  /// Returns whether a file is an archive with a list of favorites.
  static func isOurs(_ file: SourceFile) throws(ExchangeError) -> Bool {
    do {
      _ = try TarManifest(file, limits: .standard)
      return true
    } catch {
      if case .missingLibrary = error.kind { throw error }
      return false
    }
  }
}
