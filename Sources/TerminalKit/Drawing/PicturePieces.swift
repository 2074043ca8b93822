internal import Glibc

/// Divides the bytes of pictures into pieces between which text may be written.
///
/// A picture may be interrupted before each movement of its cursor, since every row and every image
/// begins with one and sets its own colors, and between the commands of one transfer to kitty.
enum PicturePieces {
  private static let escape: UInt8 = 0x1B

  /// Returns the pieces, which together are the bytes.
  ///
  /// - Complexity: O(n).
  static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    func cut(at index: Int) {
      guard index > start else { return }
      pieces.append(bytes[start..<index])
      start = index
    }
    bytes.withUnsafeBytes { raw in
      var index = 0
      while let found = next(escape, in: raw, from: index) {
        let kind = found + 1 < raw.count ? raw[found + 1] : 0
        switch kind {
        case UInt8(ascii: "["):
          index = found + 2
          while index < raw.count, !(0x40...0x7E).contains(raw[index]) { index += 1 }
          index = min(raw.count, index + 1)
          if raw[index - 1] == UInt8(ascii: "H") { cut(at: found) }
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"):
          index = endOfString(raw, from: found + 2)
          if isUnfinishedTransfer(raw, found + 2, index) { cut(at: index) }
        default: index = min(raw.count, found + 2)
        }
      }
    }
    cut(at: bytes.count)
    return pieces
  }

  private static func next(_ byte: UInt8, in raw: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < raw.count, let base = raw.baseAddress,
      let match = memchr(base + start, Int32(byte), raw.count - start)
    else { return nil }
    return UnsafeRawPointer(match) - base
  }

  /// Returns the index behind the end of a string: `ESC \`, or BEL.
  ///
  /// Escapes are doubled for the way through tmux.
  private static func endOfString(_ raw: UnsafeRawBufferPointer, from start: Int) -> Int {
    let bell = next(0x07, in: raw, from: start) ?? raw.count
    var index = start
    while let found = next(escape, in: raw, from: index), found < bell {
      guard found + 1 < raw.count else { return raw.count }
      if raw[found + 1] == UInt8(ascii: "\\") { return found + 2 }
      index = found + 2
    }
    return min(raw.count, bell + 1)
  }

  /// Whether a string is a command of kitty's that more of the same transfer follow (`m=1`).
  private static func isUnfinishedTransfer(
    _ raw: UnsafeRawBufferPointer, _ start: Int, _ end: Int
  ) -> Bool {
    let keys = raw[start..<end].prefix(200).prefix { $0 != UInt8(ascii: ";") }
    let control =
      keys.starts(with: "tmux".utf8)
      ? raw[start..<end].dropFirst(5).prefix(200).prefix { $0 != UInt8(ascii: ";") } : keys
    return String(decoding: control, as: UTF8.self).contains(/[G,]m=1(?![0-9])/)
  }
}
