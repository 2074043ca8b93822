/// Writes any kind of PNG without a library, uncompressed.
///
/// Otherwise the tests would check libpng with libpng.
struct PNGWriter {
  /// The color types of IHDR.
  enum Color: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6
  }

  var width = 32
  var height = 32
  var depth = 8
  var color = Color.rgb
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  var isInterlaced = false
  /// Whole chunks to put before IDAT.
  var extra: [UInt8] = []
  /// The samples of a pixel.
  var samples: (_ x: Int, _ y: Int) -> [Int] = { x, y in
    quadrants[quadrant(x, y, 32, 32)].prefix(3).map(Int.init)
  }

  /// The whole file.
  func bytes() -> [UInt8] {
    header() + extra
      + (palette.isEmpty ? [] : Self.chunk("PLTE", palette))
      + (transparency.isEmpty ? [] : Self.chunk("tRNS", transparency))
      + Self.chunk("IDAT", Self.zlibStored(scanlines())) + Self.chunk("IEND", [])
  }

  /// The signature and IHDR.
  func header() -> [UInt8] {
    let fields =
      Self.bigEndian(width) + Self.bigEndian(height)
      + [UInt8(depth), color.rawValue, 0, 0, isInterlaced ? 1 : 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", fields)
  }

  private func scanlines() -> [UInt8] {
    // Adam7: the first column and row of each pass, and the steps (PNG, 8.2).
    let adam7 = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var lines: [UInt8] = []
    for (x0, y0, dx, dy) in isInterlaced ? adam7 : [(0, 0, 1, 1)] where x0 < width {
      for y in stride(from: y0, to: height, by: dy) {
        lines.append(0)  // filter: none
        var (bits, count) = (0, 0)
        for x in stride(from: x0, to: width, by: dx) {
          for sample in samples(x, y) {
            bits = bits << depth | sample
            count += depth
            while count >= 8 {
              lines.append(UInt8(truncatingIfNeeded: bits >> (count - 8)))
              count -= 8
            }
          }
        }
        if count > 0 { lines.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
      }
    }
    return lines
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
  }

  static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
  static func zlibStored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var offset = 0
    repeat {
      let end = min(offset + 65_535, data.count)
      let count = end - offset
      stream.append(end == data.count ? 1 : 0)
      for value in [count, ~count] {
        stream += [UInt8(value & 255), UInt8(value >> 8 & 255)]
      }
      stream += data[offset..<end]
      offset = end
    } while offset < data.count
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + bigEndian(b << 16 | a)
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }

  static func crc32(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~0) { crc, byte in
      crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
    }
  }
}
