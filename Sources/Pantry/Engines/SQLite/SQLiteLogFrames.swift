internal import Glibc
internal import SystemSupport

/// The pages that a write-ahead log has as of its last commit, read without SQLite.
///
/// The format is documented at https://sqlite.org/fileformat2.html#walformat.
struct SQLiteLogFrames {
  let pageSize: Int
  /// The number of pages of the database after the last commit.
  let pageCount: Int
  /// Whether commits are lost to SQLite, which reads up to the first frame with a wrong checksum.
  ///
  /// A commit is flushed before the next one begins. So what a power failure tears is the last one,
  /// and a frame behind the end of a commit shows that this commit was whole.
  let isDamaged: Bool
  /// Whether the header is wrong, so that SQLite ignores all frames, which are right.
  let isIgnored: Bool
  /// The place in the log of each page's newest content.
  private let offsets: [Int: off_t]
  private let descriptor: Descriptor

  /// Reads the log at `path`; nil if it has no commit.
  ///
  /// Like SQLite, it takes the frames up to the first one whose checksum is wrong; those of a
  /// damaged log up to the last one that is right, with those between.
  ///
  /// - Parameter databasePageSize: the page size if the header of the log is damaged.
  /// - Complexity: O(n) in the size of the log.
  init?(path: String, databasePageSize: Int? = nil) {
    let descriptor = Descriptor(Descriptors.open(path, O_RDONLY))
    guard let head = descriptor.bytes(32, at: 0) else { return nil }
    let magic = Self.integer(head[0..<4])
    var pageSize = Self.integer(head[8..<12])
    var isBigEndian = magic & 1 == 1
    // Whether all frames so far are right.
    var isWhole =
      magic & 0xFFFF_FFFE == 0x377F_0682 && (512...65_536).contains(pageSize)
      && pageSize & (pageSize - 1) == 0
      && Checksum.isRight(
        isBigEndian, after: [0, 0, 0, 0, 0, 0, 0, 0], [head[0..<24]], head[24...])
    var salts = head[16..<24]
    if !isWhole {
      // The frames have the salts too, and on all platforms the checksums have this order.
      guard let databasePageSize, let first = descriptor.bytes(24, at: 32) else { return nil }
      (pageSize, isBigEndian, salts) = (databasePageSize, false, first[8..<16])
    }
    var (pageCount, isDamaged) = (0, false)
    var offsets: [Int: off_t] = [:]
    // The pages since the last commit.
    var pending: [Int: off_t] = [:]
    // Whether a commit has ended in or after the first wrong frame; the header is flushed as well.
    var hasEnded = !isWhole
    let hasHeader = isWhole
    // Whether there is a wrong frame, and whether a right commit follows it: otherwise it is what a
    // commit has left that did not end.
    var (isWrong, hasWrongFrame) = (false, false)
    var offset: off_t = 32
    var sum = head[24...]
    // The number of pages after the commit that a frame ends, or 0.
    var size = 0
    while let frame = descriptor.bytes(24 + pageSize, at: offset) {
      let isOwn = frame[8..<16] == salts
      let isRight =
        isOwn
        && Checksum.isRight(isBigEndian, after: sum, [frame[0..<8], frame[24...]], frame[16..<24])
      isWhole = isWhole && isRight
      if isOwn, !isRight { isWrong = true }
      // The frame before belongs to this log, if not by its salts.
      if isRight, !isWhole, size > 0 { hasEnded = true }
      if isRight, hasEnded { isDamaged = true }
      size = Self.integer(frame[4..<8])
      if isOwn, !isWhole, size > 0 { hasEnded = true }
      sum = frame[16..<24]
      pending[Self.integer(frame[0..<4])] = offset + 24
      offset += off_t(frame.count)
      guard isRight, size > 0, isWhole || isDamaged else { continue }
      hasWrongFrame = isWrong
      pageCount = size
      offsets.merge(pending) { $1 }
      pending = [:]
    }
    guard pageCount > 0 else { return nil }
    self.pageSize = pageSize
    self.pageCount = pageCount
    self.isDamaged = isDamaged
    isIgnored = !hasHeader && !hasWrongFrame
    self.offsets = offsets
    self.descriptor = descriptor
  }

  /// Reads the log of a database, which need not be one.
  init?(of database: Database) throws {
    let code = Self.integer(try database.bytes(18).bytes[16...])
    let size = code == 1 ? 65_536 : code
    let isSize = (512...65_536).contains(size) && size & (size - 1) == 0
    self.init(path: database.path + "-wal", databasePageSize: isSize ? size : nil)
  }

  /// Returns the content of a page; nil if the log does not have it.
  func page(_ number: Int) -> [UInt8]? {
    offsets[number].flatMap { descriptor.bytes(pageSize, at: $0) }
  }

  /// Returns whether commits are lost that the file itself does not have.
  ///
  /// A log begins anew once all of it is in the file. A process that dies while it writes the new
  /// header leaves the old commits behind a wrong one, and loses nothing. Behind a right header,
  /// SQLite reads old commits up to the wrong frame, whatever the file has.
  ///
  /// - Complexity: O(n) in the size of the log if the header is wrong; otherwise O(1).
  func loses(commitsOf database: Database) throws -> Bool {
    guard isDamaged, isIgnored else { return isDamaged }
    // Pages beyond the end were cut off after the last commit.
    return try offsets.keys.contains { number in
      guard number <= pageCount else { return false }
      let isCopied =
        try number > 0
        && page(number) == database.bytes(pageSize, at: (number - 1) * pageSize).bytes
      return !isCopied
    }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// An open file that is closed with the last reference to it.
  private final class Descriptor: Sendable {
    private let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { if number >= 0 { close(number) } }

    /// Reads exactly `count` bytes; nil if the file ends before.
    func bytes(_ count: Int, at offset: off_t) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(number, &bytes, count, offset) == count ? bytes : nil
    }
  }

  /// The checksum of a frame, which goes on from that of the frame before.
  private struct Checksum {
    let isBigEndian: Bool
    var words: (UInt32, UInt32)

    /// Returns whether `sum` is that of `parts` after the sum before them.
    static func isRight(
      _ isBigEndian: Bool, after former: ArraySlice<UInt8>, _ parts: [ArraySlice<UInt8>],
      _ sum: ArraySlice<UInt8>
    ) -> Bool {
      var checksum = Checksum(isBigEndian: isBigEndian, words: words(former))
      for part in parts { checksum.add(part) }
      return checksum.words == words(sum)
    }

    private static func words(_ bytes: ArraySlice<UInt8>) -> (UInt32, UInt32) {
      (UInt32(integer(bytes.prefix(4))), UInt32(integer(bytes.suffix(4))))
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          words.0 &+= word(bytes, offset) &+ words.1
          words.1 &+= word(bytes, offset + 4) &+ words.0
        }
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
  }
}
