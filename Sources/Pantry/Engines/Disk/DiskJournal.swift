internal import FoundationEssentials

/// What a commit is about to do, written down before it does it.
///
/// From the moment it is called `journal` and that name is on the disk, the commit counts: the
/// items are there under their temporary names, and all that is left is to rename and to remove,
/// which can be done as often as it takes.
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

  /// Writes the journal; when this returns, the commit counts.
  func write(to folder: OpenFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try folder.write([encoder.encode(self)], to: DiskFileName.newJournal, flushing: true)
    try folder.rename(DiskFileName.newJournal, to: DiskFileName.journal)
  }

  /// Reads the journal of a commit that was not finished, or nil if there is none.
  static func read(from folder: OpenFolder) throws -> DiskJournal? {
    guard let file = try folder.open(DiskFileName.journal) else { return nil }
    let path = folder.path(of: DiskFileName.journal)
    guard let byteCount = try file.byteCount() else {
      throw StorageError.damagedFile(path: path, reason: "it is not a file")
    }
    struct Version: Decodable { let pantry: Int }
    let data = try file.read(byteCount, at: 0)
    do {
      let version = try JSONDecoder().decode(Version.self, from: data).pantry
      guard version == DiskItemHeader.supportedVersion else {
        throw StorageError.newerSchema(
          path: path, version: version, supported: DiskItemHeader.supportedVersion)
      }
      return try JSONDecoder().decode(DiskJournal.self, from: data)
    } catch is DecodingError {
      throw StorageError.damagedFile(path: path, reason: "it is no journal")
    }
  }

  /// Does what it says; what has been done already is done once.
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
    // Not flushed: until something is, a journal that comes back finds nothing left to rename, and
    // removes nothing that a later commit has been acknowledged for.
    try folder.remove(DiskFileName.journal)

    func digests(_ texts: [String]) throws -> [ContentDigest] {
      try texts.map { text in
        guard let digest = ContentDigest(hexadecimal: text) else {
          throw StorageError.damagedFile(
            path: folder.path(of: DiskFileName.journal), reason: "it names something else")
        }
        return digest
      }
    }
  }
}
