internal import FoundationEssentials

/// The intent journal of a commit, written before its changes.
///
/// Once the name `journal` is on disk, the commit is durable: the items exist under their temporary
/// names, and only renames and removals remain, which can be repeated as often as necessary.
struct DiskJournal: DiskContent {
  var pantry = supportedVersion
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
    guard let stamp = try file.stamp() else {
      throw StorageError.damagedFile(path: file.path, reason: "it is not a file")
    }
    guard let journal = try decoded(file.read(stamp.byteCount, at: 0), from: file) else {
      throw StorageError.damagedFile(path: file.path, reason: "it is not a journal")
    }
    guard (journal.write + journal.remove).allSatisfy({ ContentDigest(hexadecimal: $0) != nil })
    else { throw StorageError.damagedFile(path: file.path, reason: "it contains an invalid name") }
    return journal
  }

  /// Makes the changes, skipping those that were made before.
  func carryOut(in folder: OpenFolder) throws {
    for digest in write.compactMap(ContentDigest.init(hexadecimal:)) {
      try folder.rename(
        DiskFileName.name(ofTemporary: digest, commit: commit),
        to: DiskFileName.name(ofItem: digest))
    }
    for digest in remove.compactMap(ContentDigest.init(hexadecimal:)) {
      try folder.remove(DiskFileName.name(ofItem: digest))
    }
  }

  /// Makes the changes durably, and removes the journal.
  func finish(in folder: OpenFolder) throws {
    try carryOut(in: folder)
    try folder.flush()
    // Not flushed: until a later flush, a journal that reappears finds nothing left to rename, and
    // removes nothing that a later acknowledged commit has written.
    try folder.remove(DiskFileName.journal)
  }
}
