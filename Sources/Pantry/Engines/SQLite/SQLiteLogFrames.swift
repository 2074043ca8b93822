internal import Glibc

/// The pages that a write-ahead log has as of its last commit, read without SQLite.
///
/// The format is documented at https://sqlite.org/fileformat2.html#walformat.
struct SQLiteLogFrames {
  let pageSize: Int
  /// The number of pages of the database after the last commit.
  let pageCount: Int
  /// The place in the log of each page's newest content.
  private let offsets: [Int: off_t]
  private let descriptor: Descriptor

  /// Reads the log at `path`; nil if it has no commit.
  ///
  /// Like SQLite, it takes the frames up to the first one whose checksum is wrong.
  ///
  /// - Complexity: O(n) in the size of the log.
  init?(path: String) {
    let descriptor = Descriptor(Descriptors.open(path, O_RDONLY))
    guard let head = descriptor.bytes(32, at: 0) else { return nil }
    let magic = Self.integer(head[0..<4])
    let pageSize = Self.integer(head[8..<12])
    guard magic & 0xFFFF_FFFE == 0x377F_0682, (512...65_536).contains(pageSize),
      pageSize & (pageSize - 1) == 0
    else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(head[0..<24])
    guard sum.words == (UInt32(Self.integer(head[24..<28])), UInt32(Self.integer(head[28..<32])))
    else { return nil }
    var pageCount = 0
    var offsets: [Int: off_t] = [:]
    // The pages since the last commit.
    var pending: [Int: off_t] = [:]
    var offset: off_t = 32
    while let frame = descriptor.bytes(24 + pageSize, at: offset), frame[8..<16] == head[16..<24] {
      sum.add(frame[0..<8])
      sum.add(frame[24...])
      guard
        sum.words == (UInt32(Self.integer(frame[16..<20])), UInt32(Self.integer(frame[20..<24])))
      else { break }
      pending[Self.integer(frame[0..<4])] = offset + 24
      offset += off_t(frame.count)
      let size = Self.integer(frame[4..<8])
      guard size > 0 else { continue }
      pageCount = size
      offsets.merge(pending) { $1 }
      pending = [:]
    }
    guard pageCount > 0 else { return nil }
    self.pageSize = pageSize
    self.pageCount = pageCount
    self.offsets = offsets
    self.descriptor = descriptor
  }

  /// Returns the content of a page; nil if the log does not have it.
  func page(_ number: Int) -> [UInt8]? {
    offsets[number].flatMap { descriptor.bytes(pageSize, at: $0) }
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

  /// The running checksum of a log.
  private struct Checksum {
    let isBigEndian: Bool
    var words: (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
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
