/// The canvas on which the frames of an animation are drawn one over the other.
struct AnimationCanvas {
  /// The treatment of a frame before the next one is drawn.
  enum Disposal: Hashable, Sendable {
    case keep
    /// Its rectangle becomes transparent.
    ///
    /// The background color of the file is ignored, as in browsers.
    case clear
    /// Its rectangle is again as it was before the frame.
    case restore
  }

  /// The canvas after the newest frame.
  private(set) var bitmap: Bitmap

  /// The newest frame's rectangle, and what happens to it next.
  private var last: (rect: PixelRect, disposal: Disposal)?
  /// The pixels before the newest frame, if they will be restored.
  private var former: [UInt8] = []

  /// Creates a transparent canvas.
  init(_ size: PixelSize) {
    bitmap = Bitmap(size: size, pixels: [UInt8](repeating: 0, count: size.width * size.height * 4))
  }

  /// Disposes of the last frame before another one is drawn in a rectangle.
  mutating func begin(_ rect: PixelRect, _ disposal: Disposal) {
    if let last {
      switch last.disposal {
      case .keep: break
      case .clear: clear(last.rect)
      case .restore: bitmap.pixels = former
      }
    }
    former = disposal == .restore ? bitmap.pixels : []
    last = (rect, disposal)
  }

  /// Draws a row of the frame by its palette; what is outside of the canvas is ignored.
  ///
  /// - Parameter transparentIndex: leaves the canvas as it is.
  mutating func draw(
    _ indices: UnsafeBufferPointer<UInt8>, row: Int, palette: [UInt32], transparentIndex: Int?
  ) {
    guard let (columns, start) = visible(row) else { return }
    let transparentIndex = transparentIndex ?? -1
    bitmap.pixels.withUnsafeMutableBytes { pixels in
      palette.withUnsafeBufferPointer { palette in
        for column in columns {
          let index = Int(indices[column])
          if index == transparentIndex { continue }
          pixels.storeBytes(of: palette[index], toByteOffset: start &+ column &* 4, as: UInt32.self)
        }
      }
    }
  }

  /// Draws a row of RGBA of the frame; what is outside of the canvas is ignored.
  ///
  /// - Parameter blends: whether the canvas shows through where the row is transparent.
  mutating func draw(_ source: UnsafeBufferPointer<UInt8>, row: Int, blends: Bool) {
    guard let (columns, start) = visible(row) else { return }
    bitmap.pixels.withUnsafeMutableBufferPointer { pixels in
      for column in columns {
        let (from, into) = (column &* 4, start &+ column &* 4)
        let alpha = source[from &+ 3]
        if blends, alpha == 0 { continue }
        if blends, alpha < 255, pixels[into &+ 3] > 0 {
          Self.blend(source, from, over: pixels, into)
        } else {
          for channel in 0..<4 { pixels[into &+ channel] = source[from &+ channel] }
        }
      }
    }
  }

  /// Blends a pixel over another one, both with straight alpha (RFC 9649, 2.7.1.1).
  private static func blend(
    _ source: UnsafeBufferPointer<UInt8>, _ from: Int,
    over pixels: UnsafeMutableBufferPointer<UInt8>, _ into: Int
  ) {
    let alpha = Int(source[from &+ 3])
    // In units of 1 / 255 of a step, so that both shares are whole numbers.
    let share = alpha &* 255
    let rest = Int(pixels[into &+ 3]) &* (255 &- alpha)
    let sum = share &+ rest
    for channel in 0..<3 {
      let color =
        Int(source[from &+ channel]) &* share &+ Int(pixels[into &+ channel]) &* rest
      pixels[into &+ channel] = UInt8((color &+ sum / 2) / sum)
    }
    pixels[into &+ 3] = UInt8((sum &+ 127) / 255)
  }

  /// Returns the columns of a row of the frame that are on the canvas, and the offset of the first.
  private func visible(_ row: Int) -> (columns: Range<Int>, start: Int)? {
    guard let rect = last?.rect, rect.x >= 0, rect.y >= 0, rect.x < bitmap.size.width,
      rect.y + row < bitmap.size.height
    else { return nil }
    let start = ((rect.y + row) * bitmap.size.width + rect.x) * 4
    return (0..<min(rect.size.width, bitmap.size.width - rect.x), start)
  }

  private mutating func clear(_ rect: PixelRect) {
    for row in 0..<min(rect.size.height, bitmap.size.height) {
      guard let (columns, start) = visible(row) else { return }
      bitmap.pixels.withUnsafeMutableBufferPointer { pixels in
        pixels[start..<(start + columns.count * 4)].update(repeating: 0)
      }
    }
  }
}
