/// Corrects the checksums of a PNG's chunks.
enum PNGChecksums {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns the file with correct checksums; nil if it is no PNG or has them already.
  static func repaired(_ file: [UInt8]) -> [UInt8]? {
    guard file.starts(with: signature) else { return nil }
    var result = file
    var offset = signature.count
    // A chunk is its length, four letters, the content and the checksum of letters and content.
    while offset + 12 <= file.count {
      let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - offset - 12 else { break }
      let end = offset + 8 + length
      let checksum = crc32(file[(offset + 4)..<end])
      for index in 0..<4 {
        result[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
      }
      offset = end + 4
    }
    return result == file ? nil : result
  }

  /// The checksum of PNG, annex D.
  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
    return ~sum
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    return value
  }
}
