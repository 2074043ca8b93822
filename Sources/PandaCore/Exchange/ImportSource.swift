internal import FoundationEssentials

/// The source of an import: a directory, or a tar archive.
enum ImportSource: Sendable {
  case directory(OpenDirectory)
  case tar(SourceFile)

  /// Opens the directory or the archive at `path`.
  init(_ path: String) throws(ExchangeError) {
    let file = try SourceFile(opening: path)
    if file.isDirectory {
      self = .directory(try OpenDirectory(path))
    } else if file.isRegular {
      self = .tar(file)
    } else {
      throw ExchangeError(.unreadableArchive("it is not a file"), path: path)
    }
  }

  /// Reads the list of favorites, and then the picture of each, in the order of the source.
  ///
  /// - Parameters:
  ///   - begin: receives the list.
  ///   - visit: receives an entry of the list, and the bytes of its file.
  /// - Throws: ``ExchangeError``, also if a picture is missing, or what the closures throw.
  func read(
    limits: ExchangeLimits, begin: (Manifest) throws -> Void,
    visit: (ManifestEntry, Data) async throws -> Void
  ) async throws {
    switch self {
    case .directory(let directory):
      try await Self.read(directory, limits, begin, visit)
    case .tar(let file): try await Self.read(file, limits, begin, visit)
    }
  }

  private static func read(
    _ directory: OpenDirectory, _ limits: ExchangeLimits, _ begin: (Manifest) throws -> Void,
    _ visit: (ManifestEntry, Data) async throws -> Void
  ) async throws {
    guard let list = try directory.file(Manifest.filename) else {
      throw ExchangeError(.noManifest, path: directory.path)
    }
    let manifest = try Manifest(
      bytes(of: list, Manifest.filename, in: directory, limit: limits.manifestBytes),
      path: directory.path, limits: limits)
    try begin(manifest)
    var total = 0
    for entry in manifest.entries {
      try Task.checkCancellation()
      guard let file = try directory.file(entry.file) else {
        throw ExchangeError(.entry(entry.file, .missing), path: directory.path)
      }
      let data = try bytes(of: file, entry.file, in: directory, limit: limits.pictureBytes)
      total += data.count
      guard total <= limits.bytes else {
        throw ExchangeError(.tooManyBytes(limit: limits.bytes), path: directory.path)
      }
      try await visit(entry, data)
    }
  }

  private static func bytes(
    of file: SourceFile, _ name: String, in directory: OpenDirectory, limit: Int
  ) throws(ExchangeError) -> Data {
    guard file.byteCount <= limit else {
      throw ExchangeError(.entry(name, .tooLarge(limit: limit)), path: directory.path)
    }
    return try file.read(file.byteCount)
  }

  private static func read(
    _ file: SourceFile, _ limits: ExchangeLimits, _ begin: (Manifest) throws -> Void,
    _ visit: (ManifestEntry, Data) async throws -> Void
  ) async throws {
    // The list may come after the pictures. The file stays open, so that it is the same one.
    let list = try TarManifest(file, limits: limits)
    try begin(list.manifest)
    var expected = Dictionary(uniqueKeysWithValues: list.manifest.entries.map { ($0.file, $0) })
    let tar = try TarReader(file, limits: limits)
    while let found = try tar.next() {
      try Task.checkCancellation()
      guard !found.isDirectory, found.path.hasPrefix(list.directory),
        let entry = expected.removeValue(
          forKey: String(found.path.dropFirst(list.directory.count)))
      else { continue }
      try await visit(entry, tar.read(found))
    }
    if let missing = list.manifest.entries.first(where: { expected[$0.file] != nil }) {
      throw ExchangeError(.entry(missing.file, .missing), path: file.path)
    }
  }
}
