internal import FoundationEssentials

/// The net effect of a commit: at most one write or removal for each file.
struct DiskPlan {
  /// The items to write, and their data.
  private(set) var writes: [ContentDigest: (item: DiskItem, data: Data)] = [:]
  private(set) var removals: [ContentDigest] = []
  /// For each change, the position of the item that it inserts.
  private(set) var positions: [Int?] = []
  /// Larger than every position after the commit.
  private(set) var nextPosition: Int
  private let commit: Int

  var digests: [ContentDigest] { writes.keys + removals }

  /// Plans `changes` of `items`, whose positions are below `nextPosition`, as commit `commit`.
  init(
    _ changes: [StorageChange], of items: [ContentDigest: DiskItem], nextPosition: Int,
    at time: Date, commit: Int
  ) {
    self.nextPosition = nextPosition
    self.commit = commit
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
        let seconds = time.timeIntervalSince1970
        let header = DiskItemHeader(
          position: old?.header.position ?? position ?? 0, created: old?.header.created ?? seconds,
          updated: seconds, bytes: data.count, key: key.rawValue)
        writes[digest] = (DiskItem(header: header), data)
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
    removals = removed.filter { items[$0]?.isReplaceable == true && writes[$0] == nil }
  }

  var journal: DiskJournal {
    DiskJournal(commit: commit, write: Array(writes.keys), remove: removals)
  }

  /// Writes the items under their temporary names, and flushes them.
  mutating func writeTemporaryFiles(to folder: OpenFolder) throws {
    // More files than this are flushed together, with their file system.
    let flushesEach = writes.count <= 32
    for (digest, write) in writes {
      let line = try write.item.header.line()
      writes[digest]?.item.headerLength = line.count
      writes[digest]?.item.stamp = try folder.write(
        [line, write.data], to: DiskFileName.name(ofTemporary: digest, commit: commit),
        flushing: flushesEach)
    }
    if !flushesEach { try folder.flushFileSystem() }
  }

  func removeTemporaryFiles(from folder: OpenFolder) {
    for digest in writes.keys {
      // Files that cannot be removed now are removed at the next opening.
      try? folder.remove(DiskFileName.name(ofTemporary: digest, commit: commit))  // see above
    }
  }
}
