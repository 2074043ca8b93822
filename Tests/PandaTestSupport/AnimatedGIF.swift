/// Writes an animated GIF of frames of one color each.
public struct AnimatedGIF {
  /// Red, green and blue of each frame; at most four.
  public var colors: [[UInt8]]
  /// How long each frame is shown, in hundredths of a second.
  public var delays: [Int]
  /// How often it plays; nil means without end.
  public var loopCount: Int?

  /// Creates an animation.
  public init(colors: [[UInt8]], delays: [Int], loopCount: Int? = nil) {
    self.colors = colors
    self.delays = delays
    self.loopCount = loopCount
  }

  /// The file: 16 x 12 pixels.
  public var bytes: [UInt8] {
    let loop: [UInt8] =
      loopCount == 1
      ? []
      : [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8)
        + [3, 1, UInt8(loopCount.map { $0 - 1 } ?? 0), 0, 0]
    let palette = Array((colors + Array(repeating: [0, 0, 0], count: 4)).prefix(4).joined())
    let frames = zip(colors.indices, delays).flatMap { number, delay -> [UInt8] in
      [0x21, 0xF9, 4, 4, UInt8(delay & 255), UInt8(delay >> 8), 0, 0]
        + [0x2C, 0, 0, 0, 0, 16, 0, 12, 0, 0] + Self.pixels(UInt8(number))
    }
    return Array("GIF89a".utf8) + [16, 0, 12, 0, 0x81, 0, 0] + palette + loop + frames + [0x3B]
  }

  /// 192 pixels of one index, in codes of 9 bits: clear (256), the pixels, end (257).
  private static func pixels(_ index: UInt8) -> [UInt8] {
    var packed: [UInt8] = []
    var (bits, count) = (0, 0)
    for code in [256] + [Int](repeating: Int(index), count: 192) + [257] {
      bits |= code << count
      count += 9
      while count >= 8 {
        packed.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    packed.append(UInt8(truncatingIfNeeded: bits))
    return [8, UInt8(packed.count)] + packed + [0]
  }
}
