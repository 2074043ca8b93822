internal import FoundationEssentials
internal import SystemSupport

struct DiskItem {
  /// Its header; if that cannot be read, one with the file's name as its key.
  var header: DiskItemHeader
  /// The number of bytes before the data, once its header has been read.
  var headerLength = 0
  /// The reason why the data cannot be what was written; nil if it is intact.
  var damage: String?
  /// Whether its header can be read: otherwise it is no item, but may hide one.
  var isReadable = true
  /// Whether a file can be renamed over it: false for a directory.
  var isReplaceable = true
  /// Its place in insertion order, which no other item has.
  var place: Int

  var key: CacheKey { CacheKey(verbatim: header.key) }

  /// Describes a file that is about to be written.
  init(header: DiskItemHeader, place: Int? = nil) {
    (self.header, self.place) = (header, place ?? header.position)
  }

  /// Reads the header of `file`, which is named by `digest`.
  ///
  /// - Throws: ``StorageError/newerSchema(path:version:supported:)``, ``FileError``.
  init(_ file: OpenFile, _ digest: ContentDigest) throws {
    guard let length = try file.byteCount() else {
      self.init(unreadable: digest, because: "it is not a file")
      isReplaceable = false
      return
    }
    let line = try DiskItemHeader.line(of: file)
    let header = try line.flatMap { try DiskItemHeader.decoded($0, from: file) }
    if let line, let header, header.problem(in: digest) == nil {
      self.init(header: header)
      headerLength = line.count + 1
      let count = max(length - headerLength, 0)
      if count != header.bytes {
        damage = "it holds \(count) bytes of data, but its header says \(header.bytes)"
      }
    } else {
      self.init(
        unreadable: digest,
        because: line == nil
          ? "it does not begin with a header"
          : header?.problem(in: digest) ?? "its header cannot be read")
    }
  }

  /// Whether `file` is as long as it was when its header was read: to read that again for each
  /// item would double the time of a load.
  func fits(_ file: OpenFile) throws -> Bool {
    try headerLength > 0 && damage == nil && file.byteCount() == headerLength + header.bytes
  }

  /// Reads its data; of what is no item, a part is enough to recognize it.
  func data(in file: OpenFile) throws -> Data {
    let count = max((try file.byteCount() ?? 0) - headerLength, 0)
    return try file.read(
      isReadable ? count : min(count, DiskItemHeader.longestLine), at: headerLength)
  }

  init(unreadable digest: ContentDigest, because reason: String) {
    self.init(
      header: DiskItemHeader(
        position: 0, created: 0, updated: 0, bytes: 0, key: DiskFileName.name(ofItem: digest)))
    damage = reason
    isReadable = false
  }
}
