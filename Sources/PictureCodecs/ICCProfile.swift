internal import Glibc

/// An ICC profile as a file has it (ICC.1:2022).
struct ICCProfile: Hashable, Sendable {
  /// The kinds of pixels that a profile describes, of those that a picture file can have.
  enum Pixels: Hashable, Sendable {
    case rgb, gray, cmyk
  }

  /// The maximum size; those of printing presses have up to 3 MB.
  static let byteLimit = 8 << 20

  package let bytes: [UInt8]
  package let pixels: Pixels

  /// Takes the bytes of a profile; nil if they are none, or one of another kind of pixels.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let pixels: Pixels? = bytes.withUnsafeBytes { bytes in
      guard bytes.holds("acsp", at: 36), let size = bytes.bigEndian32(at: 0), size <= bytes.count
      else { return nil }
      if bytes.holds("RGB ", at: 16) { return .rgb }
      if bytes.holds("GRAY", at: 16) { return .gray }
      return bytes.holds("CMYK", at: 16) ? .cmyk : nil
    }
    guard let pixels else { return nil }
    self.pixels = pixels
  }

  /// Whether the profile describes sRGB, so that nothing needs to be converted.
  ///
  /// Most profiles do. They are recognized by their primaries and curves, since their names and
  /// sizes differ.
  var isSRGB: Bool {
    bytes.withUnsafeBytes { bytes in
      let tags = Tags(bytes)
      // Those with tables may do more than their curves say.
      guard tags["A2B0"] == nil else { return false }
      switch pixels {
      case .cmyk: return false
      case .gray: return tags["kTRC"].map { Self.isSRGB(curve: $0, of: bytes) } ?? false
      case .rgb:
        return Self.colorants.allSatisfy { name, color in
          tags[name].map { Self.isNear(color, $0, of: bytes) } ?? false
        }
          && ["rTRC", "gTRC", "bTRC"].allSatisfy { name in
            tags[name].map { Self.isSRGB(curve: $0, of: bytes) } ?? false
          }
      }
    }
  }

  /// The primaries of sRGB, adapted to the white of ICC's connection space.
  private static let colorants: [(String, [Double])] = [
    ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]),
    ("bXYZ", [0.1431, 0.0606, 0.7141]),
  ]

  private static func isNear(
    _ color: [Double], _ tag: Range<Int>, of bytes: UnsafeRawBufferPointer
  ) -> Bool {
    color.indices.allSatisfy { index in
      guard let own = fixedPoint(at: tag.lowerBound + 8 + index * 4, of: bytes) else {
        return false
      }
      return abs(own - color[index]) < 0.002
    }
  }

  /// Returns whether a curve is nowhere further from that of sRGB than 8 bits can tell.
  private static func isSRGB(curve tag: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
    guard let light = curve(tag, of: bytes) else { return false }
    return (0...32).allSatisfy { step in
      let value = Double(step) / 32
      return abs(light(value) - RGBColorSpace.sRGBLight(of: value)) < 0.001
    }
  }

  /// Reads a curve (10.6 and 10.18) as a function from 0...1 to light; nil for one of other kinds.
  private static func curve(
    _ tag: Range<Int>, of bytes: UnsafeRawBufferPointer
  ) -> ((Double) -> Double)? {
    let start = tag.lowerBound
    if bytes.holds("curv", at: start), let count = bytes.bigEndian32(at: start + 8), count > 1 {
      guard bytes.bigEndian16(at: start + 12 + (count - 1) * 2) != nil else { return nil }
      return { value in
        let position = value * Double(count - 1)
        let index = min(Int(position), count - 2)
        let (low, high) = (
          Double(bytes.bigEndian16(at: start + 12 + index * 2)!),
          Double(bytes.bigEndian16(at: start + 14 + index * 2)!)
        )
        return (low + (high - low) * (position - Double(index))) / 65_535
      }
    }
    // The form with a linear beginning.
    if bytes.holds("para", at: start), bytes.bigEndian16(at: start + 8) == 3 {
      let numbers = (0..<5).compactMap { fixedPoint(at: start + 12 + $0 * 4, of: bytes) }
      guard numbers.count == 5 else { return nil }
      return { value in
        value >= numbers[4]
          ? pow(numbers[1] * value + numbers[2], numbers[0]) : numbers[3] * value
      }
    }
    return nil
  }

  /// Reads a number with 16 bits after the binary point (s15Fixed16Number).
  private static func fixedPoint(at offset: Int, of bytes: UnsafeRawBufferPointer) -> Double? {
    bytes.bigEndian32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }

  /// The table of a profile's tags (7.3).
  private struct Tags {
    private var ranges: [String: Range<Int>] = [:]

    init(_ bytes: UnsafeRawBufferPointer) {
      // Real ones have a few dozen.
      for index in 0..<min(bytes.bigEndian32(at: 128) ?? 0, 256) {
        let entry = 132 + index * 12
        guard let start = bytes.bigEndian32(at: entry + 4),
          let count = bytes.bigEndian32(at: entry + 8), start + count <= bytes.count
        else { continue }
        let name = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
        ranges[name] = start..<start + count
      }
    }

    subscript(name: String) -> Range<Int>? { ranges[name] }
  }
}
