extension ICCProfile {
  /// The tags that convert colors (ICC.1:2022, 9.2).
  private static let kept: Set<String> = [
    "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "chrm", "cicp",
    "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "B2D0", "B2D1", "B2D2",
    "gamt",
  ]

  /// The texts that a profile must have, which become empty.
  private static let emptied: Set<String> = ["desc", "cprt"]

  /// The profile without names, makers, dates and whatever does not convert colors.
  ///
  /// It is as long as the profile says of itself: what goes becomes zeros. Empty if it has no tags.
  var withoutTexts: [UInt8] {
    bytes.withUnsafeBytes { bytes in
      guard let size = bytes.bigEndian32(at: 0), (132...bytes.count).contains(size),
        let count = bytes.bigEndian32(at: 128)
      else { return [] }
      var result = [UInt8](repeating: 0, count: size)
      func keep(_ range: Range<Int>, at offset: Int? = nil) {
        let range = range.clamped(to: 0..<size)
        let offset = offset ?? range.lowerBound
        result.replaceSubrange(offset..<offset + range.count, with: bytes[range])
      }
      // The header (7.2) without module, date, platform, maker, creator and digest.
      for range in [0..<4, 8..<24, 36..<40, 44..<48, 56..<80] { keep(range) }
      var tags = 0
      let table = 132..<132 + 12 * min(count, 255)
      for entry in stride(from: table.lowerBound, to: table.upperBound, by: 12)
      where entry + 12 <= size {
        let name = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
        guard let start = bytes.bigEndian32(at: entry + 4),
          let length = bytes.bigEndian32(at: entry + 8), start + length <= size,
          start >= table.upperBound
        else { continue }
        if Self.kept.contains(name) {
          keep(start..<start + Self.length(at: start, atMost: length, of: bytes))
        } else if Self.emptied.contains(name), length >= 16 {
          // Its kind, no text, and the size of an entry in a list of none.
          keep(start..<start + 4)
          if bytes.holds("mluc", at: start) { result[start + 15] = 12 }
        } else {
          continue
        }
        keep(entry..<entry + 12, at: 132 + tags * 12)
        tags += 1
      }
      result[131] = UInt8(tags)
      return result
    }
  }

  /// Returns the length that the kind of a tag implies (10): what follows is no part of it.
  private static func length(at start: Int, atMost length: Int, of bytes: UnsafeRawBufferPointer)
    -> Int
  {
    var own = length
    if bytes.holds("XYZ ", at: start) {
      own = 20
    } else if bytes.holds("curv", at: start), let count = bytes.bigEndian32(at: start + 8) {
      own = 12 + 2 * count
    } else if bytes.holds("para", at: start), let kind = bytes.bigEndian16(at: start + 8), kind < 5
    {
      own = 12 + 4 * [1, 3, 4, 5, 7][kind]
    }
    return min(own, length)
  }
}
