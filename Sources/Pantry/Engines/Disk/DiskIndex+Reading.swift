internal import FoundationEssentials

extension DiskIndex {
  /// Reads the headers of all item files whose stamp has changed.
  ///
  /// - Throws: ``StorageError/newerSchema(path:version:supported:)`` for a file of a newer version.
  mutating func compare(with folder: OpenFolder, noting history: inout DiskHistory) throws {
    var gone = Set(entries.keys).union(unreadable.keys)
    for name in try folder.names() {
      guard let digest = DiskFileName.item(name) else { continue }
      gone.remove(digest)
      if let stamp = stamp(digest), entries[digest]?.isFresh != true,
        stamp.resembles(try folder.stamp(of: name))
      {
        continue
      }
      if let change = try read(digest, in: folder) { history.add(change) }
    }
    for digest in gone {
      if let entry = entries[digest] {
        history.add(DiskHistory.Change(digest: digest, key: entry.key))
      }
      lost(digest)
    }
  }

  /// The last known stamp of a file; nil if it was absent.
  func stamp(_ digest: ContentDigest) -> FileStamp? {
    entries[digest]?.stamp ?? unreadable[digest]?.stamp
  }

  /// Reads the header of an item's file.
  ///
  /// - Returns: the item that may have changed, if there is or was one.
  mutating func read(_ digest: ContentDigest, in folder: OpenFolder) throws -> DiskHistory.Change? {
    let former = entries[digest]?.key
    do {
      try readFile(DiskFileName.name(ofItem: digest), digest, in: folder)
    } catch let error as DiskError where error.concernsOneFile {
      // Any other error may affect every file, and must not make a full storage look empty.
      found(unreadable: "\(error)", stamp: nil, digest: digest)
    }
    return (entries[digest]?.key ?? former).map { DiskHistory.Change(digest: digest, key: $0) }
  }

  private mutating func readFile(
    _ name: String, _ digest: ContentDigest, in folder: OpenFolder
  ) throws {
    guard let file = try folder.open(name) else {
      lost(digest)
      return
    }
    guard let stamp = try file.stamp() else {
      found(unreadable: "it is not a file", isReplaceable: false, stamp: nil, digest: digest)
      return
    }
    switch try DiskItemHeader.read(from: file, byteCount: stamp.byteCount, digest: digest) {
    case .header(let header, let length):
      let dataCount = stamp.byteCount - length
      var entry = Entry(
        key: CacheKey(verbatim: header.key), position: header.position,
        createdAt: Date(timeIntervalSince1970: header.created),
        updatedAt: Date(timeIntervalSince1970: header.updated),
        headerLength: length, byteCount: dataCount)
      entry.stamp = stamp
      entry.isFresh = stamp.isFresh
      if dataCount != header.bytes {
        entry.damage = Self.wrongLength(dataCount, expected: header.bytes)
      }
      found(entry, digest: digest)
    case .newerVersion(let version):
      throw StorageError.newerSchema(
        path: folder.path(of: name), version: version,
        supported: DiskItemHeader.supportedVersion)
    case .damaged(let reason):
      found(unreadable: reason, stamp: stamp, digest: digest)
    }
  }

  /// The reason for an item whose length differs from its header.
  static func wrongLength(_ found: Int, expected: Int) -> String {
    "it holds \(max(found, 0)) bytes of data, but its header says \(expected)"
  }
}
