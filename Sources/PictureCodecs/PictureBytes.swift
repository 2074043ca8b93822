/// Reads numbers from untrusted bytes: nil past the end, never a trap.
///
/// Offsets must not be negative; an offset so large that adding 4 overflows traps.
extension UnsafeRawBufferPointer {
  /// Returns the byte at an offset, or nil past the end.
  package func byte(at offset: Int) -> UInt8? {
    offset < count ? self[offset] : nil
  }

  /// Returns two bytes, the most significant first, or nil past the end.
  func bigEndian16(at offset: Int) -> Int? {
    guard offset + 2 <= count else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// Returns four bytes, the most significant first, or nil past the end.
  func bigEndian32(at offset: Int) -> Int? {
    guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else {
      return nil
    }
    return high << 16 | low
  }

  /// Returns two bytes, the least significant first, or nil past the end.
  func littleEndian16(at offset: Int) -> Int? {
    guard offset + 2 <= count else { return nil }
    return Int(self[offset]) | Int(self[offset + 1]) << 8
  }

  /// Returns three bytes, the least significant first, or nil past the end.
  func littleEndian24(at offset: Int) -> Int? {
    guard let low = littleEndian16(at: offset), let high = byte(at: offset + 2) else { return nil }
    return low | Int(high) << 16
  }

  /// Returns four bytes, the least significant first, or nil past the end.
  func littleEndian32(at offset: Int) -> Int? {
    guard let low = littleEndian16(at: offset), let high = littleEndian16(at: offset + 2) else {
      return nil
    }
    return low | high << 16
  }

  /// Returns whether these bytes occur at an offset; false if they extend past the end.
  package func holds(_ expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
    guard offset + expected.count <= count else { return false }
    return self[offset..<(offset + expected.count)].elementsEqual(expected)
  }

  /// Returns whether these ASCII letters occur at an offset; false if they extend past the end.
  package func holds(_ expected: StaticString, at offset: Int = 0) -> Bool {
    expected.withUTF8Buffer { holds($0, at: offset) }
  }
}
