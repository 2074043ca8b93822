internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// The pages that a write-ahead log has as of its last commit, read without SQLite.
///
/// Like SQLite, it takes the frames up to the first one whose checksum is wrong. The format is
/// documented at https://sqlite.org/fileformat2.html#walformat.
package struct SQLiteLogFrames {
  let pageSize: Int
  /// The number of pages of the database after the last commit.
  let pageCount: Int
  /// The place in the log of each page's newest content.
  private let offsets: [Int: Int]
  private let file: OpenFile

  /// Reads the log at `path`; nil if it has no commit.
  ///
  /// - Complexity: O(n) in the size of the log.
  package init?(path: String) {
    let descriptor = Descriptors.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    file = OpenFile(descriptor: descriptor, path: path)
    guard let head = Self.bytes(32, at: 0, of: file), head[0..<4].bigEndian & ~1 == 0x377F_0682
    else { return nil }
    pageSize = head[8..<12].bigEndian
    var sum = Checksum(isBigEndian: head[3] & 1 == 1)
    sum.add(head[0..<24])
    guard (512...65_536).contains(pageSize), sum.equals(head[24..<32]) else { return nil }
    var (pageCount, offset) = (0, 32)
    var offsets: [Int: Int] = [:]
    // The pages since the last commit.
    var pending: [Int: Int] = [:]
    while let frame = Self.bytes(24 + pageSize, at: offset, of: file),
      frame[8..<16] == head[16..<24]
    {
      sum.add(frame[0..<8])
      sum.add(frame[24...])
      guard sum.equals(frame[16..<24]) else { break }
      pending[frame[0..<4].bigEndian] = offset + 24
      offset += frame.count
      let count = frame[4..<8].bigEndian
      guard count > 0 else { continue }
      pageCount = count
      offsets.merge(pending) { $1 }
      pending = [:]
    }
    guard pageCount > 0 else { return nil }
    (self.pageCount, self.offsets) = (pageCount, offsets)
  }

  /// Returns the content of a page; nil if the log does not have it.
  func page(_ number: Int) -> [UInt8]? {
    offsets[number].flatMap { Self.bytes(pageSize, at: $0, of: file) }
  }

  private static func bytes(_ count: Int, at offset: Int, of file: OpenFile) -> [UInt8]? {
    // An unreadable part ends the log, as a wrong checksum does.
    let data = try? file.read(count, at: offset)
    return data?.count == count ? data.map { Array($0) } : nil
  }

  /// The checksum of a frame, which continues that of the frame before.
  private struct Checksum {
    let isBigEndian: Bool
    private var words: (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          words.0 &+= word(bytes, offset) &+ words.1
          words.1 &+= word(bytes, offset + 4) &+ words.0
        }
      }
    }

    func equals(_ bytes: ArraySlice<UInt8>) -> Bool {
      Int(words.0) == bytes.prefix(4).bigEndian && Int(words.1) == bytes.suffix(4).bigEndian
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
  }
}
