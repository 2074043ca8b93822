internal import FoundationEssentials
internal import SystemSupport

/// The intent journal of a commit, written before its changes.
///
/// Once the name `journal` is on disk, the commit is durable: the items exist under their temporary
/// names, and only renames and removals remain, which can be repeated as often as necessary.
struct DiskJournal: DiskContent {
  var pantry = supportedVersion
  /// The number in the temporary names.
  let commit: Int
  let write: [ContentDigest]
  let remove: [ContentDigest]

  /// Writes the journal; when this returns, the commit is durable.
  func write(to folder: OpenFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try folder.replace(
      DiskFileName.journal, through: DiskFileName.newJournal, with: encoder.encode(self))
  }

  /// Reads the journal of an unfinished commit, or nil if there is none.
  static func read(from folder: OpenFolder) throws -> DiskJournal? {
    guard let file = try folder.open(DiskFileName.journal) else { return nil }
    if let journal = try file.contents().flatMap({ try decoded($0, from: file) }) { return journal }
    throw StorageError.damagedFile(path: file.path, reason: "it is not a journal")
  }

  /// Makes the changes, skipping those that were made before.
  func carryOut(in folder: OpenFolder) throws {
    for digest in write {
      try folder.rename(
        DiskFileName.name(ofTemporary: digest, commit: commit),
        to: DiskFileName.name(ofItem: digest))
    }
    for digest in remove { try folder.remove(DiskFileName.name(ofItem: digest)) }
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
