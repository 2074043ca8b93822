/// Writes a GIF without a library, its pixels as literal codes of 9 bits.
struct GIFWriter {
  /// An image of an animation.
  struct Image {
    var x = 0
    var y = 0
    var width = 32
    var height = 32
    var isInterlaced = false
    /// The index of transparent pixels; nil writes no graphic control extension.
    var transparentIndex: UInt8?
    /// Red, green and blue of 4 indices; empty leaves the global palette.
    var palette: [UInt8] = []
    /// Hundredths of a second until the next image.
    var delay = 0
    /// 1 keeps the image, 2 clears it, 3 restores what was before.
    var disposal: UInt8 = 0
    /// The index of a pixel.
    var index: (_ x: Int, _ y: Int) -> UInt8 = { x, y in UInt8(quadrant(x, y, 32, 32)) }
  }

  var width = 32
  var height = 32
  /// Red, green and blue of 4 indices; empty writes none.
  var palette: [UInt8] = quadrants.flatMap { $0.prefix(3) }
  var images = [Image()]
  /// The number of repetitions, 0 for without end; nil writes none.
  var repetitions: Int?

  /// The whole file.
  func bytes() -> [UInt8] {
    let sides = Self.littleEndian(width) + Self.littleEndian(height)
    return Array("GIF89a".utf8) + sides + [palette.isEmpty ? 0 : 0x81, 0, 0] + palette
      + loop + images.flatMap(Self.blocks) + [0x3B]
  }

  private var loop: [UInt8] {
    guard let repetitions else { return [] }
    return [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + Self.littleEndian(repetitions)
      + [0]
  }

  private static func blocks(_ image: Image) -> [UInt8] {
    var control: [UInt8] = []
    if image.transparentIndex != nil || image.delay > 0 || image.disposal > 0 {
      let flags = image.disposal << 2 | (image.transparentIndex == nil ? 0 : 1)
      control =
        [0x21, 0xF9, 4, flags] + littleEndian(image.delay) + [image.transparentIndex ?? 0, 0]
    }
    let place = [image.x, image.y, image.width, image.height].flatMap(littleEndian)
    let flags: UInt8 = (image.palette.isEmpty ? 0 : 0x81) | (image.isInterlaced ? 0x40 : 0)
    let passes = image.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    let rows = passes.flatMap { stride(from: $0, to: image.height, by: $1) }
    let indices = rows.flatMap { y in (0..<image.width).map { image.index($0, y) } }
    return control + [0x2C] + place + [flags] + image.palette + pixels(indices)
  }

  /// A code size of 8, and sub-blocks of codes: clear (256) before each 254 literals keeps a code
  /// at 9 bits; 257 ends.
  private static func pixels(_ indices: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var (bits, count) = (0, 0)
    func put(_ code: Int) {
      bits |= code << count
      count += 9
      while count >= 8 {
        packed.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    for (position, index) in indices.enumerated() {
      if position % 254 == 0 { put(256) }
      put(Int(index))
    }
    put(257)
    packed.append(UInt8(truncatingIfNeeded: bits))
    var blocks: [UInt8] = [8]
    for start in stride(from: 0, to: packed.count, by: 255) {
      let block = packed[start..<min(start + 255, packed.count)]
      blocks += [UInt8(block.count)] + block
    }
    return blocks + [0]
  }

  private static func littleEndian(_ number: Int) -> [UInt8] {
    [UInt8(number & 255), UInt8(number >> 8 & 255)]
  }
}
