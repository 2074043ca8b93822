internal import FoundationEssentials
internal import SystemSupport

/// The net effect of a commit: at most one write or removal for each file.
struct DiskPlan {
  private(set) var writes: [ContentDigest: (item: DiskItem, data: Data)] = [:]
  /// For each change, the position of the item that it inserts.
  private(set) var positions: [Int?] = []
  /// Larger than every position after the commit.
  private(set) var nextPosition: Int
  let journal: DiskJournal

  var digests: [ContentDigest] { journal.write + journal.remove }

  /// Plans `changes` of `items`, whose positions are below `nextPosition`, as commit `commit`.
  init(
    _ changes: [StorageChange], of items: [ContentDigest: DiskItem], nextPosition: Int,
    at seconds: Double, commit: Int
  ) {
    self.nextPosition = nextPosition
    var removed: Set<ContentDigest> = []
    for change in changes {
      var position: Int?
      switch change {
      case .write(let data, let key, _):
        let digest = ContentDigest(of: Data(key.rawValue.utf8))
        let stored = removed.contains(digest) ? nil : items[digest]
        let old = writes[digest]?.item ?? stored.flatMap { $0.isReadable ? $0 : nil }
        if old == nil {
          position = self.nextPosition
          self.nextPosition = min(self.nextPosition + 1, DiskItemHeader.positions.upperBound - 1)
        }
        let header = DiskItemHeader(
          position: old?.header.position ?? position ?? 0, created: old?.header.created ?? seconds,
          updated: seconds, bytes: data.count, key: key.rawValue)
        writes[digest] = (DiskItem(header: header, place: old?.place), data)
      case .remove(let key):
        let digest = ContentDigest(of: Data(key.rawValue.utf8))
        writes[digest] = nil
        removed.insert(digest)
      case .removeAll:
        writes = [:]
        removed.formUnion(items.keys)
      }
      positions.append(position)
    }
    let removals = removed.subtracting(writes.keys).filter { items[$0]?.isReplaceable == true }
    journal = DiskJournal(commit: commit, write: Array(writes.keys), remove: Array(removals))
  }

  /// Writes the items under their temporary names, and flushes them.
  func writeTemporaryFiles(to folder: OpenFolder) throws {
    let flushesEach = writes.count <= 32  // more are flushed together, with their file system
    for (digest, write) in writes {
      try folder.write(
        [write.item.header.line(), write.data],
        to: DiskFileName.name(ofTemporary: digest, commit: journal.commit), flushing: flushesEach)
    }
    if !flushesEach { try folder.flushFileSystem() }
  }
}
