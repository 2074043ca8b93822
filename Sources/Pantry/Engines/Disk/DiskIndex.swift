internal import FoundationEssentials

/// The Disk engine's index of its files, and the effect of commits on it.
struct DiskIndex {
  /// One item's file.
  struct Entry {
    let key: CacheKey
    /// The position in its header.
    let position: Int
    /// Its place in the order: its position, unless other items have the same.
    var place: Int
    let createdAt: Date
    var updatedAt: Date
    /// The number of bytes before the data.
    var headerLength: Int
    var byteCount: Int
    /// The file's stamp when its header was read or written.
    var stamp: FileStamp?
    /// Whether the file can have changed since then under the same stamp.
    var isFresh = false
    /// Why the data cannot be what was written; nil if it is intact.
    var damage: String?

    init(
      key: CacheKey, position: Int, createdAt: Date, updatedAt: Date, headerLength: Int,
      byteCount: Int
    ) {
      self.key = key
      self.position = position
      place = position
      self.createdAt = createdAt
      self.updatedAt = updatedAt
      self.headerLength = headerLength
      self.byteCount = byteCount
    }
  }

  /// A file that has the name of an item but is none.
  struct Unreadable {
    let reason: String
    /// Whether a file can be renamed over it: false for a directory.
    let isReplaceable: Bool
    let stamp: FileStamp?
  }

  /// The net effect of a commit.
  struct Plan {
    struct Write {
      let digest: ContentDigest
      var entry: Entry
      let data: Data
    }

    /// The writes, in the order of their positions.
    var writes: [Write] = []
    var removals: [ContentDigest] = []
    /// For each change, the position of the item that it inserts.
    var positions: [Int?] = []
    /// Larger than every position after the commit.
    var nextPosition = 0
    var count: Int { writes.count + removals.count }
  }

  private(set) var entries: [ContentDigest: Entry] = [:]
  /// The files that have names of items but are none.
  private(set) var unreadable: [ContentDigest: Unreadable] = [:]
  private var nextPosition = 0
  private var positions: Set<Int> = []
  /// Whether two entries may have the same position: only after files were copied by hand.
  private var hasTies = false

  /// The entries in insertion order.
  func ordered() -> [(digest: ContentDigest, entry: Entry)] {
    entries.map { (digest: $0.key, entry: $0.value) }
      .sorted {
        $0.entry.position != $1.entry.position
          ? $0.entry.position < $1.entry.position
          : $0.digest.hexadecimal < $1.digest.hexadecimal
      }
  }

  /// Adds the file of an item.
  mutating func found(_ entry: Entry, digest: ContentDigest) {
    unreadable[digest] = nil
    if let former = entries.updateValue(entry, forKey: digest) {
      positions.remove(former.position)
    }
    if !positions.insert(entry.position).inserted { hasTies = true }
    reserve(before: entry.position + 1)
  }

  /// Adds a file that has the name of an item but is none.
  mutating func found(
    unreadable reason: String, isReplaceable: Bool = true, stamp: FileStamp?,
    digest: ContentDigest
  ) {
    lost(digest)
    unreadable[digest] = Unreadable(
      reason: reason, isReplaceable: isReplaceable, stamp: stamp)
  }

  /// Removes a file from the index.
  mutating func lost(_ digest: ContentDigest) {
    unreadable[digest] = nil
    if let entry = entries.removeValue(forKey: digest) { positions.remove(entry.position) }
  }

  /// Reserves all positions before `position`, which may have been used by removed items.
  ///
  /// After the last position, which only a file written by hand has, items share it.
  mutating func reserve(before position: Int) {
    nextPosition = min(max(nextPosition, position), DiskItemHeader.positions.upperBound - 1)
  }

  /// Gives each item a place of its own, and returns the moved items.
  ///
  /// The result depends on the files only, so every process has the same order.
  mutating func separateTies() -> [ContentDigest] {
    guard hasTies else { return [] }
    hasTies = false
    positions = []
    var moved: [ContentDigest] = []
    var next = 0
    for (digest, entry) in ordered() {
      if !positions.insert(entry.position).inserted { hasTies = true }
      let place = max(entry.position, next)
      if place != entry.place {
        entries[digest]?.place = place
        moved.append(digest)
      }
      next = place + 1
    }
    reserve(before: next)
    return moved
  }

  /// Resolves `changes` to at most one write or removal for each file.
  func plan(_ changes: [StorageChange], at time: Date) -> Plan {
    var outcome: [ContentDigest: Plan.Write?] = [:]
    var removesAll = false
    var position = nextPosition
    var positions: [Int?] = []
    // Rounded as it will be read back from the file.
    let time = Date(timeIntervalSince1970: time.timeIntervalSince1970)
    for change in changes {
      switch change {
      case .write(let data, let key, _):
        let digest = ContentDigest(of: Data(key.rawValue.utf8))
        let old: Entry? =
          if let planned = outcome[digest] { planned?.entry } else {
            removesAll ? nil : entries[digest]
          }
        let entry = Entry(
          key: key, position: old?.position ?? position, createdAt: old?.createdAt ?? time,
          updatedAt: time, headerLength: 0, byteCount: data.count)
        positions.append(old == nil ? position : nil)
        if old == nil { position = min(position + 1, DiskItemHeader.positions.upperBound - 1) }
        outcome[digest] = .some(Plan.Write(digest: digest, entry: entry, data: data))
      case .remove(let key):
        positions.append(nil)
        outcome[ContentDigest(of: Data(key.rawValue.utf8))] = .some(nil)
      case .removeAll:
        positions.append(nil)
        outcome = [:]
        removesAll = true
      }
    }
    var plan = net(outcome, removesAll: removesAll)
    plan.positions = positions
    plan.nextPosition = position
    return plan
  }

  private func net(_ outcome: [ContentDigest: Plan.Write?], removesAll: Bool) -> Plan {
    var plan = Plan()
    plan.writes = outcome.values.compactMap(\.self)
      .sorted { $0.entry.position < $1.entry.position }
    let candidates =
      removesAll
      ? Array(entries.keys) + unreadable.keys : outcome.filter { $0.value == nil }.map(\.key)
    plan.removals = candidates.filter { digest in
      (entries[digest] != nil || unreadable[digest]?.isReplaceable == true)
        && (outcome[digest] ?? nil) == nil
    }
    return plan
  }

  /// Notes that `plan` has been carried out.
  mutating func carriedOut(_ plan: Plan) {
    for digest in plan.removals { lost(digest) }
    for write in plan.writes { found(write.entry, digest: write.digest) }
    reserve(before: plan.nextPosition)
  }
}
