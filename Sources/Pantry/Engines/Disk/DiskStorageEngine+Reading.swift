internal import FoundationEssentials

extension DiskStorageEngine {
  /// Reads the data of `key`, or nil; throws an error if it is not what was written.
  func data(_ key: CacheKey) throws -> Data? {
    guard let (item, data) = try content(Self.digest(key)) else { return nil }
    guard let reason = item.damage else { return data }
    let path = folder.path(of: DiskFileName.name(ofItem: Self.digest(key)))
    throw item.stamp == nil
      ? StorageError.cannotOpen(path: path, reason: reason)
      : StorageError.damagedFile(path: path, reason: reason)
  }

  /// Reads all items in insertion order, and what hides some.
  func allRows() throws -> [StorageRow] {
    try ordered().compactMap { try row($0.digest, at: $0.place) }
  }

  /// Reads an item, or the remains of a damaged one; nil if it is absent.
  func row(_ digest: ContentDigest, at place: Int) throws -> StorageRow? {
    guard let (item, data) = try content(digest), let key = items[digest]?.key else { return nil }
    let reason = item.isReadable ? nil : item.damage
    let file = folder.path(of: DiskFileName.name(ofItem: digest))
    return StorageRow(
      key: key, data: data, position: place, reason: reason.map { "\(file): \($0)." })
  }

  /// Reads the file of an item; its header too, if that may have changed since it was read.
  private func content(_ digest: ContentDigest) throws -> (item: DiskItem, data: Data)? {
    guard var item = items[digest] else { return nil }
    do {
      guard let file = try folder.open(DiskFileName.name(ofItem: digest)) else { return nil }
      let stamp = try file.stamp()
      if !item.isReadable || item.stamp?.isUnchanged(in: stamp) != true {
        item = try DiskItem(file, digest)
      }
      let count = max((stamp?.byteCount ?? 0) - item.headerLength, 0)
      // Of what is no item, a part is enough to recognize it.
      let limit = item.isReadable ? count : min(count, DiskItemHeader.longestLine)
      return (item, try file.read(limit, at: item.headerLength))
    } catch let error as DiskError where error.concernsOneFile {
      return (DiskItem(unreadable: digest, because: "\(SystemError(code: error.code))"), Data())
    }
  }

  /// The items in insertion order, each with a place of its own.
  ///
  /// That is its position, unless files with the same were copied together by hand. It depends on
  /// the files only, so every process has the same order.
  func ordered() -> [(digest: ContentDigest, item: DiskItem, place: Int)] {
    let sorted = items.sorted {
      $0.value.header.position != $1.value.header.position
        ? $0.value.header.position < $1.value.header.position
        : $0.key.hexadecimal < $1.key.hexadecimal
    }
    var next = 0
    defer { reserve(before: next) }
    return sorted.map { digest, item in
      guard item.isReadable else { return (digest, item, item.header.position) }
      let place = max(item.header.position, next)
      next = place + 1
      return (digest, item, place)
    }
  }

  static func digest(_ key: CacheKey) -> ContentDigest {
    ContentDigest(of: Data(key.rawValue.utf8))
  }
}
