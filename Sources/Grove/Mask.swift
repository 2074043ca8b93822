/// The pixels inside a shape, from 0 (outside) to 256 (inside).
final class Mask {
  let width: Int
  let height: Int
  let values: UnsafeMutablePointer<UInt32>
  private let pool: MaskPool

  /// Creates an empty mask, using memory from `pool`, which must hold as many pixels.
  init(width: Int, height: Int, pool: MaskPool) {
    self.width = width
    self.height = height
    self.pool = pool
    values = pool.take()
  }

  deinit {
    pool.recycle(values)
  }

  /// Returns whether the pixel at a position is mostly inside.
  func contains(_ place: Point) -> Bool {
    guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height) else {
      return false
    }
    return values[Int(place.y) * width + Int(place.x)] > 127
  }
}
