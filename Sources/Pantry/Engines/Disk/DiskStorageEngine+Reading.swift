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
    try items.keys.compactMap { try row($0) }.sorted { $0.position < $1.position }
  }

  /// Reads an item, or the remains of a damaged one; nil if it is absent.
  func row(_ digest: ContentDigest) throws -> StorageRow? {
    guard let known = items[digest], let (item, data) = try content(digest) else { return nil }
    let reason = item.isReadable ? nil : item.damage
    let file = folder.path(of: DiskFileName.name(ofItem: digest))
    return StorageRow(
      key: known.key, data: data, position: known.place, reason: reason.map { "\(file): \($0)." })
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

  static func digest(_ key: CacheKey) -> ContentDigest {
    ContentDigest(of: Data(key.rawValue.utf8))
  }
}
