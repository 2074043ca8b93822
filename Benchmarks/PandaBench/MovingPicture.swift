internal import Foundation
internal import Grove
internal import PictureCodecs

/// An animated GIF in which all of the picture moves: a drawing of the grove that passes by, with
/// the noise of a film.
struct MovingPicture {
  let frameCount: Int
  /// The size of a frame.
  let size: PixelSize
  /// The duration of each frame, in hundredths of a second.
  let delay: Int
  /// The distance that the drawing moves from frame to frame, in pixels.
  private let pace = 16

  /// Levels of each color: 216 colors in all.
  private static let levels = 6

  /// Returns the file, which plays without end.
  func data() -> Data {
    let wide = PixelSize(width: size.width + pace * frameCount, height: size.height)
    let drawing = BambooGrove.drawing(seed: 7, size: wide).bitmap
    var bytes = Array("GIF89a".utf8) + Self.short(size.width) + Self.short(size.height)
    // A palette of 256 colors.
    bytes += [0xF7, 0, 0]
    let steps = (0..<Self.levels).map { UInt8($0 * 255 / (Self.levels - 1)) }
    let palette = steps.flatMap { red in
      steps.flatMap { green in steps.flatMap { blue in [red, green, blue] } }
    }
    bytes += palette + [UInt8](repeating: 0, count: 768 - palette.count)
    bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    var state: UInt32 = 1
    for number in 0..<frameCount {
      bytes += [0x21, 0xF9, 4, 4] + Self.short(delay) + [0, 0, 0x2C, 0, 0, 0, 0]
      bytes += Self.short(size.width) + Self.short(size.height) + [0]
      bytes += Self.codes(of: indices(of: drawing, from: number * pace, noise: &state))
    }
    return Data(bytes + [0x3B])
  }

  /// Returns the colors of the pixels from a column on, in their rows.
  private func indices(
    of drawing: Bitmap, from column: Int, noise state: inout UInt32
  ) -> [UInt8] {
    var indices: [UInt8] = []
    indices.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = (y * drawing.size.width + column + x) * 4
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = Int(state >> 26) - 32
        var index = 0
        for channel in 0..<3 {
          let color = max(0, min(255, Int(drawing.pixels[pixel + channel]) + noise))
          index = index * Self.levels + (color * (Self.levels - 1) + 127) / 255
        }
        indices.append(UInt8(index))
      }
    }
    return indices
  }

  /// Returns the data of a frame in codes of 9 bits.
  ///
  /// Clearing the table (256) before it has 512 entries keeps them so long; 257 ends the frame.
  private static func codes(of indices: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    packed.reserveCapacity(indices.count * 9 / 8 + 1_024)
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
    for (number, index) in indices.enumerated() {
      if number % 250 == 0 { put(256) }
      put(Int(index))
    }
    put(257)
    packed.append(UInt8(truncatingIfNeeded: bits))
    var blocks: [UInt8] = [8]
    for start in stride(from: 0, to: packed.count, by: 255) {
      let block = packed[start..<min(packed.count, start + 255)]
      blocks.append(UInt8(block.count))
      blocks += block
    }
    return blocks + [0]
  }

  private static func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
