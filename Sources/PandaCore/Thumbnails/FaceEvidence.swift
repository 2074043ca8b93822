internal import Glibc
internal import PictureCodecs

/// How much each place of a picture looks like the face of a red panda.
///
/// A red panda's face is where rust-coloured fur, white marks and dark eyes and nose are close
/// together; neither foliage nor its body nor its tail has all three. Each pixel of a small copy is
/// judged for three features from 0 to 1 (channels and saturation from 0 to 1, `max` and `min` over
/// the channels, saturation `(max - min) / max`):
///
/// - warm: `(saturation - 0.3) / 0.3 * (red - 0.2) / 0.25` where red leads, green is not below blue
///   and lies below 0.62 of the way from blue to red: rust and orange, neither yellow nor pink;
/// - white: `(min - 0.5) / 0.25 * (0.35 - saturation) / 0.2` where blue is not above red;
/// - dark: `(0.32 - max) / 0.2`.
///
/// Their means over two neighbourhoods (boxes that reach 0.10 and 0.15 of the shorter side each
/// way) are divided by 0.45, 0.25 and 0.12, the shares at which there is enough of each, and
/// multiplied; the cube root of that, averaged over both neighbourhoods and squared, is the
/// evidence.
///
/// The numbers come from 240 drawings of the Bamboo Grove (seeds 0 to 239 at 320x240), whose faces
/// are known: with them the best place lies within 0.4 of the face's size from its middle in all
/// of them.
struct FaceEvidence {
  let width: Int
  let height: Int
  /// Row by row; 0 where nothing speaks for a face.
  let values: [Float]

  /// Judges every pixel of a small picture.
  ///
  /// - Complexity: O(pixels); 1 ms for 128x96.
  init(_ bitmap: Bitmap) {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    let count = width * height
    var warm = [Float](repeating: 0, count: count)
    var white = warm
    var dark = warm
    for index in 0..<count {
      let features = Features(bitmap.pixels, at: index * 4)
      warm[index] = features.warm
      white[index] = features.white
      dark[index] = features.dark
    }
    var sums = [Float](repeating: 0, count: count)
    let shorter = Float(min(width, height))
    for share: Float in [0.10, 0.15] {
      let reach = max(2, Int(shorter * share))
      let means = [warm, white, dark].map { Self.mean($0, width, height, reach: reach) }
      for index in 0..<count {
        let product =
          min(means[0][index] / 0.45, 1) * min(means[1][index] / 0.25, 1)
          * min(means[2][index] / 0.12, 1)
        sums[index] += product > 0 ? cbrtf(product) / 2 : 0
      }
    }
    self.width = width
    self.height = height
    values = sums.map { $0 * $0 }
  }

  /// The place with the most evidence around it; nil where there is none at all.
  var peak: (x: Int, y: Int)? {
    let reach = max(2, Int(Float(min(width, height)) * 0.15))
    let around = Self.mean(values, width, height, reach: reach)
    guard let best = around.indices.max(by: { around[$0] < around[$1] }), around[best] > 1e-4
    else { return nil }
    return (best % width, best / width)
  }

  private struct Features {
    var warm: Float = 0
    var white: Float = 0
    var dark: Float = 0

    init(_ pixels: [UInt8], at index: Int) {
      let red = Float(pixels[index]) / 255
      let green = Float(pixels[index + 1]) / 255
      let blue = Float(pixels[index + 2]) / 255
      let highest = max(red, green, blue)
      let lowest = min(red, green, blue)
      let saturation = highest > 0 ? (highest - lowest) / highest : 0
      if red > green, green >= blue - 0.02, green - blue < 0.62 * (red - blue) {
        warm = unit((saturation - 0.3) / 0.3) * unit((red - 0.2) / 0.25)
      }
      if red >= blue - 0.06 {
        white = unit((lowest - 0.5) / 0.25) * unit((0.35 - saturation) / 0.2)
      }
      dark = unit((0.32 - highest) / 0.2)
    }
  }

  /// The mean around each pixel, over what of its box is within the picture.
  private static func mean(
    _ values: [Float], _ width: Int, _ height: Int, reach: Int
  ) -> [Float] {
    // A summed-area table with a row and a column of zeros before the first.
    var table = [Double](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row = 0.0
      for x in 0..<width {
        row += Double(values[y * width + x])
        table[(y + 1) * (width + 1) + x + 1] = table[y * (width + 1) + x + 1] + row
      }
    }
    var result = values
    for y in 0..<height {
      let (top, bottom) = (max(0, y - reach), min(height, y + reach + 1))
      for x in 0..<width {
        let (left, right) = (max(0, x - reach), min(width, x + reach + 1))
        let sum =
          table[bottom * (width + 1) + right] - table[top * (width + 1) + right]
          - table[bottom * (width + 1) + left] + table[top * (width + 1) + left]
        result[y * width + x] = Float(max(0, sum) / Double((bottom - top) * (right - left)))
      }
    }
    return result
  }
}

private func unit(_ value: Float) -> Float { min(1, max(0, value)) }
