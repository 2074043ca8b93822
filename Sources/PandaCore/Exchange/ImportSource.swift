internal import FoundationEssentials
internal import SystemSupport

/// The source of an import: the directory of an export.
struct ImportSource: Sendable {
  private let directory: OpenFolder

  /// Opens the directory at `path`; never waits for a pipe.
  init(_ path: String) throws(FileError) { directory = try OpenFolder(path) }

  /// Reads the list of favorites, and then the picture of each, in the order of the list.
  ///
  /// - Parameters:
  ///   - begin: receives the list.
  ///   - visit: receives an entry of the list, and the bytes of its file.
  /// - Throws: ``ExchangeError``, also if a picture is missing; `FileError`; what the closures
  ///   throw.
  func read(
    limits: ExchangeLimits, begin: (Manifest) throws -> Void,
    visit: (ManifestEntry, Data) async throws -> Void
  ) async throws {
    guard let list = try directory.entry(Manifest.filename) else {
      throw ExchangeError(.noManifest, path: directory.path)
    }
    let manifest = try Manifest(
      bytes(of: list, Manifest.filename, limit: limits.manifestBytes),
      path: directory.path, limits: limits)
    try begin(manifest)
    var total = 0
    for entry in manifest.entries {
      try Task.checkCancellation()
      guard let file = try directory.entry(entry.file) else {
        throw ExchangeError(.entry(entry.file, .missing), path: directory.path)
      }
      let data = try bytes(of: file, entry.file, limit: limits.pictureBytes)
      total += data.count
      guard total <= limits.bytes else {
        throw ExchangeError(.tooManyBytes(limit: limits.bytes), path: directory.path)
      }
      try await visit(entry, data)
    }
  }

  private func bytes(
    of file: OpenFile, _ name: String, limit: Int
  ) throws -> Data {
    let byteCount = try file.byteCount() ?? 0
    guard byteCount <= limit else {
      throw ExchangeError(.entry(name, .tooLarge(limit: limit)), path: directory.path)
    }
    return try file.read(byteCount, at: 0)
  }
}
