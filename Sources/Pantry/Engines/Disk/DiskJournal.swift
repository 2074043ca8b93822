internal import FoundationEssentials
internal import PantryJSON

/// The intent journal of a commit, written before its changes.
///
/// Once the name `journal` is on disk, the commit is durable: the items exist under their temporary
/// names, and only renames and removals remain, which can be repeated as often as necessary.
struct DiskJournal: Codable, Equatable {
  var pantry = DiskItemHeader.supportedVersion
  /// The number in the temporary names.
  let commit: Int
  /// The digests of the keys that are written.
  let write: [String]
  /// The digests of the keys that are removed.
  let remove: [String]

  init(commit: Int, write: [ContentDigest], remove: [ContentDigest]) {
    self.commit = commit
    self.write = write.map(\.hexadecimal)
    self.remove = remove.map(\.hexadecimal)
  }

  /// Writes the journal; when this returns, the commit is durable.
  func write(to folder: OpenFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try folder.write([encoder.encode(self)], to: DiskFileName.newJournal, flushing: true)
    try folder.rename(DiskFileName.newJournal, to: DiskFileName.journal)
  }

  /// Reads the journal of an unfinished commit, or nil if there is none.
  static func read(from folder: OpenFolder) throws -> DiskJournal? {
    guard let file = try folder.open(DiskFileName.journal) else { return nil }
    let path = folder.path(of: DiskFileName.journal)
    guard let byteCount = try file.byteCount() else {
      throw StorageError.damagedFile(path: path, reason: "it is not a file")
    }
    struct Version: Decodable { let pantry: Int }
    let data = try file.read(byteCount, at: 0)
    // Foundation's decoder traps on some files; see RowDecoder.
    let decoder = RowDecoder()
    do {
      let version = try decoder.decode(Version.self, from: data).pantry
      guard version == DiskItemHeader.supportedVersion else {
        throw StorageError.newerSchema(
          path: path, version: version, supported: DiskItemHeader.supportedVersion)
      }
      return try decoder.decode(DiskJournal.self, from: data)
    } catch is DecodingError {
      throw StorageError.damagedFile(path: path, reason: "it is not a journal")
    }
  }

  /// Carries out the journal, skipping finished steps.
  func apply(to folder: OpenFolder) throws {
    let written = try digests(write)
    let removed = try digests(remove)
    for digest in written {
      try folder.rename(
        DiskFileName.name(ofTemporary: digest, commit: commit),
        to: DiskFileName.name(ofItem: digest))
    }
    for digest in removed { try folder.remove(DiskFileName.name(ofItem: digest)) }
    try folder.flush()
    // Not flushed: until a later flush, a journal that reappears finds nothing left to rename, and
    // removes nothing that a later acknowledged commit has written.
    try folder.remove(DiskFileName.journal)

    func digests(_ texts: [String]) throws -> [ContentDigest] {
      try texts.map { text in
        guard let digest = ContentDigest(hexadecimal: text) else {
          throw StorageError.damagedFile(
            path: folder.path(of: DiskFileName.journal), reason: "it contains an invalid name")
        }
        return digest
      }
    }
  }
}
