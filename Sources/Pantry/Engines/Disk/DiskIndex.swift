internal import FoundationEssentials

/// What the Disk engine knows of its files without opening them, and what a commit makes of it.
struct DiskIndex {
  /// One item's file.
  struct Entry {
    let key: CacheKey
    let position: Int
    let createdAt: Date
    var updatedAt: Date
    /// How many bytes come before the data.
    var headerLength: Int
    var byteCount: Int
    /// Why the data cannot be what was written, if it cannot.
    var damage: String?
  }

  /// What is called like an item's file and is none.
  struct Unreadable {
    let reason: String
    /// False for a directory and the like: no file can be renamed over it.
    let isReplaceable: Bool
  }

  /// The net effect of a commit.
  struct Plan {
    struct Write {
      let digest: ContentDigest
      var entry: Entry
      let data: Data
    }

    /// In the order of their positions.
    var writes: [Write] = []
    var removals: [ContentDigest] = []
    var count: Int { writes.count + removals.count }
  }

  private(set) var entries: [ContentDigest: Entry] = [:]
  /// The files that are called like items and are none.
  private(set) var unreadable: [ContentDigest: Unreadable] = [:]
  private var nextPosition = 0

  /// The entries in insertion order.
  func ordered() -> [(digest: ContentDigest, entry: Entry)] {
    entries.map { (digest: $0.key, entry: $0.value) }
      .sorted {
        $0.entry.position != $1.entry.position
          ? $0.entry.position < $1.entry.position
          : $0.digest.hexadecimal < $1.digest.hexadecimal
      }
  }

  /// Notes a file that was found.
  mutating func found(_ entry: Entry, digest: ContentDigest) {
    entries[digest] = entry
    nextPosition = max(nextPosition, entry.position + 1)
  }

  /// Notes a file that is no item although it is called like one.
  mutating func found(
    unreadable reason: String, isReplaceable: Bool = true, digest: ContentDigest
  ) {
    unreadable[digest] = Unreadable(reason: reason, isReplaceable: isReplaceable)
  }

  /// Works out what `changes` come to: for each file one write, one removal or nothing.
  func plan(_ changes: [StorageChange], at time: Date) -> Plan {
    var outcome: [ContentDigest: Plan.Write?] = [:]
    var removesAll = false
    var position = nextPosition
    // As it will be read back from the file.
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
        if old == nil { position += 1 }
        outcome[digest] = .some(Plan.Write(digest: digest, entry: entry, data: data))
      case .remove(let key):
        outcome[ContentDigest(of: Data(key.rawValue.utf8))] = .some(nil)
      case .removeAll:
        outcome = [:]
        removesAll = true
      }
    }
    return net(outcome, removesAll: removesAll)
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
    for digest in plan.removals {
      entries[digest] = nil
      unreadable[digest] = nil
    }
    for write in plan.writes {
      unreadable[write.digest] = nil
      found(write.entry, digest: write.digest)
    }
  }
}
