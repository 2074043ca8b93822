internal import FoundationEssentials

extension DiskIndex {
  /// Reads the head of every item's file.
  ///
  /// - Throws: ``StorageError/newerSchema(path:version:supported:)`` for a file of a newer version.
  init(reading folder: OpenFolder) throws {
    self.init()
    for name in try folder.names() {
      guard case .item(let digest) = DiskFileName(name) else { continue }
      do {
        guard let file = try folder.open(name), let byteCount = try file.byteCount() else {
          found(unreadable: "it is not a file", isReplaceable: false, digest: digest)
          continue
        }
        switch try DiskItemHeader.read(from: file, byteCount: byteCount, digest: digest) {
        case .header(let header, let length):
          let dataCount = byteCount - length
          found(
            DiskIndex.Entry(
              key: CacheKey(verbatim: header.key), position: header.position,
              createdAt: Date(timeIntervalSince1970: header.created),
              updatedAt: Date(timeIntervalSince1970: header.updated),
              headerLength: length, byteCount: dataCount,
              damage: dataCount == header.bytes
                ? nil : Self.wrongLength(dataCount, expected: header.bytes)),
            digest: digest)
        case .newerVersion(let version):
          throw StorageError.newerSchema(
            path: folder.path(of: name), version: version,
            supported: DiskItemHeader.supportedVersion)
        case .damaged(let reason):
          found(unreadable: reason, digest: digest)
        }
      } catch let error as DiskError where error.concernsOneFile {
        // Any other error may come of every file, and must not make an empty storage of a full one.
        found(unreadable: "\(error)", digest: digest)
      }
    }
  }

  /// Says that an item has another length than its header tells.
  static func wrongLength(_ found: Int, expected: Int) -> String {
    "it holds \(max(found, 0)) bytes of data and its header says \(expected)"
  }
}
