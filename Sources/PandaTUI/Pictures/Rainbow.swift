internal import Glibc
internal import PictureCodecs

/// The rainbow that party mode draws over a picture: a cycle of `phases` pictures.
struct Rainbow: Hashable, Sendable {
  /// The number of pictures in a cycle.
  static let phases = 10

  /// Starts at 0.
  let phase: Int

  /// The share of the rainbow in the picture.
  private static let strength = 0.45

  /// Draws the rainbow over a picture; dark areas stay dark.
  ///
  /// - Complexity: O(pixels).
  func over(_ bitmap: Bitmap) -> Bitmap {
    // The hue changes along a diagonal: tables of it and of its colors.
    let size = bitmap.size
    let steps = 256
    let colors = (0..<steps).map { Self.color(hue: Double($0) / Double(steps)) }
    let offset = phase * steps / Self.phases
    var pixels = bitmap.pixels
    pixels.withUnsafeMutableBufferPointer { pixels in
      var index = 0
      for y in 0..<size.height {
        let start = y * steps / 2 / max(1, size.height) + offset
        for x in 0..<size.width {
          let color = colors[(start + x * steps / max(1, size.width)) % steps]
          let light =
            (Int(pixels[index]) * 77 + Int(pixels[index + 1]) * 150 + Int(pixels[index + 2]) * 29)
            >> 8
          for channel in 0..<3 {
            let tinted = Double(color[channel]) * (0.25 + 0.75 * Double(light) / 255)
            let own = Double(pixels[index + channel])
            pixels[index + channel] = UInt8(own + (tinted - own) * Self.strength)
          }
          index += 4
        }
      }
    }
    return Bitmap(size: size, pixels: pixels)
  }

  /// Returns a color of full saturation and value, from 0 to 255.
  private static func color(hue: Double) -> [Double] {
    [0.0, 2.0 / 3, 1.0 / 3].map { shift in
      let place = (hue + shift).truncatingRemainder(dividingBy: 1) * 6
      return 255 * min(1, max(0, abs(place - 3) - 1))
    }
  }
}
