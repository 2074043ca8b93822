internal import PictureCodecs

/// An opaque canvas with operations that fill shapes on it.
///
/// A class because it is the single canvas of a drawing; it stays in the function that created it.
/// The inner loops use pointers and packed integers, so that unoptimized builds are fast enough
/// too.
final class Painter {
  let size: PixelSize
  /// The pixels as 0x00RRGGBB, row by row.
  let pixels: UnsafeMutablePointer<UInt32>
  /// A copy of the canvas from before the current fur.
  let coat: UnsafeMutablePointer<UInt32>
  let coverage: Coverage
  /// Maps the coordinates of shapes to pixels.
  var transform = Transform()

  private var clip: Mask?
  private let maskPool: MaskPool
  /// One row of coverage, 0 to 256.
  private let weights: UnsafeMutablePointer<UInt32>
  /// The colors of the current gradient: 0xAARRGGBB.
  private let ramp: UnsafeMutablePointer<UInt32>
  private let rampCount = 512

  /// Creates a black canvas of at least one pixel.
  init(size: PixelSize) {
    precondition(size.width > 0 && size.height > 0, "a canvas needs at least one pixel")
    self.size = size
    let count = size.width * size.height
    pixels = .allocate(capacity: count)
    pixels.initialize(repeating: 0, count: count)
    coat = .allocate(capacity: count)
    coat.initialize(repeating: 0, count: count)
    maskPool = MaskPool(count: count)
    coverage = Coverage(width: size.width, height: size.height)
    weights = .allocate(capacity: size.width + 2)
    weights.initialize(repeating: 0, count: size.width + 2)
    ramp = .allocate(capacity: rampCount)
    ramp.initialize(repeating: 0, count: rampCount)
  }

  deinit {
    pixels.deallocate()
    coat.deallocate()
    weights.deallocate()
    ramp.deallocate()
  }

  /// Draws with `map` applied before the current transform.
  func with(_ map: Transform, _ draw: () -> Void) {
    let before = transform
    transform = before.after(map)
    draw()
    transform = before
  }

  /// Draws only inside `path`.
  ///
  /// An inner clip replaces the outer one.
  func clipped(to path: Path, _ draw: () -> Void) {
    let before = clip
    clip = mask(of: path)
    draw()
    clip = before
  }

  func mask(of path: Path) -> Mask {
    let mask = Mask(width: size.width, height: size.height, pool: maskPool)
    coverage.add(path, by: transform)
    eachRow { row, start, end in
      let values = mask.values + row * size.width
      var column = start
      while column < end {
        values[column] = weights[column]
        column += 1
      }
    }
    return mask
  }

  func fill(_ path: Path, _ paint: Paint) {
    coverage.add(path, by: transform)
    fillCoverage(paint)
  }

  func fill(_ path: Path, _ color: Color) {
    fill(path, .solid(color))
  }

  /// Fills the accumulated `coverage`, and clears it.
  func fillCoverage(_ paint: Paint) {
    switch paint {
    case .solid(let color):
      fillCoverage(packed: color.packed)
    case .linear(let start, let end, let stops):
      prepareRamp(stops, squared: false)
      let along = end - start
      let scale = 1 / max(1e-9, along.x * along.x + along.y * along.y)
      let back = transform.inverse
      // The position on the ramp is a linear function of the pixel's position.
      let perColumn = (back.a * along.x + back.b * along.y) * scale
      let perRow = (back.c * along.x + back.d * along.y) * scale
      let origin = Point(back.tx, back.ty) - start
      let atOrigin = (origin.x * along.x + origin.y * along.y) * scale
      eachRow { row, start, end in
        fillLinear(
          row, start, end, atOrigin + (Double(row) + 0.5) * perRow + 0.5 * perColumn, perColumn)
      }
    case .radial(let center, let radiusX, let radiusY, let stops):
      prepareRamp(stops, squared: true)
      let shrink = Transform(a: 1 / radiusX, d: 1 / radiusY)
      let back = shrink.after(
        Transform(tx: -center.x, ty: -center.y).after(transform.inverse))
      eachRow { row, start, end in fillRadial(row, start, end, back) }
    }
  }

  /// Fills the accumulated `coverage` with 0xAARRGGBB, and clears it.
  func fillCoverage(packed color: UInt32) {
    eachRow { row, start, end in fillSolid(row, start, end, color) }
  }

  /// Converts the canvas to a bitmap.
  /// - Complexity: O(pixels).
  func bitmap() -> Bitmap {
    let count = size.width * size.height
    let bytes = [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, filled in
      if let target = buffer.baseAddress {
        target.withMemoryRebound(to: UInt32.self, capacity: count) { words in
          var index = 0
          while index < count {
            // From 0x00RRGGBB to the bytes R, G, B, 255, on machines of either byte order.
            words[index] = ((pixels[index] &<< 8) | 0xFF).bigEndian
            index += 1
          }
        }
      }
      filled = count * 4
    }
    return Bitmap(size: size, pixels: bytes)
  }

  // MARK: - Rows

  /// Calls `body` with each touched row's weights and columns, and clears the coverage.
  private func eachRow(_ body: (_ row: Int, _ start: Int, _ end: Int) -> Void) {
    var row = coverage.top
    while row <= coverage.bottom {
      let start = coverage.first[row]
      let end = coverage.last[row]
      if start <= end {
        let line = coverage.cells + row * coverage.stride
        var sum: Float = 0
        var column = start
        while column <= end {
          sum += line[column]
          line[column] = 0
          let area = sum < 0 ? -sum : sum
          weights[column] = area >= 1 ? 256 : UInt32(area * 256 + 0.5)
          column += 1
        }
        let stop = end < size.width ? end + 1 : size.width
        if start < stop {
          if let clip { clipWeights(row, start, stop, clip) }
          body(row, start, stop)
        }
      }
      row += 1
    }
    coverage.reset()
  }

  private func clipWeights(_ row: Int, _ start: Int, _ end: Int, _ clip: Mask) {
    let values = clip.values + row * size.width
    var column = start
    while column < end {
      weights[column] = (weights[column] &* values[column]) &>> 8
      column += 1
    }
  }

  private func fillSolid(_ row: Int, _ start: Int, _ end: Int, _ color: UInt32) {
    let line = pixels + row * size.width
    let alpha = color &>> 24
    let strength = alpha &+ (alpha &>> 7)
    let redBlue = color & 0xFF00FF
    let green = color & 0x00FF00
    var column = start
    while column < end {
      let weight = (weights[column] &* strength) &>> 8
      if weight != 0 {
        let rest = 256 &- weight
        let below = line[column]
        line[column] =
          ((((below & 0xFF00FF) &* rest) &+ (redBlue &* weight) &+ 0x800080) &>> 8) & 0xFF00FF
          | ((((below & 0x00FF00) &* rest) &+ (green &* weight) &+ 0x008000) &>> 8) & 0x00FF00
      }
      column += 1
    }
  }

  private func fillLinear(
    _ row: Int, _ start: Int, _ end: Int, _ atRowStart: Double, _ perColumn: Double
  ) {
    let scale = Double(rampCount - 1)
    let step = perColumn * scale
    var place = (atRowStart + Double(start) * perColumn) * scale + 0.5
    let line = pixels + row * size.width
    var column = start
    while column < end {
      let index = place < 0 ? 0 : place > scale ? rampCount - 1 : Int(place)
      blend(line + column, ramp[index], weights[column])
      place += step
      column += 1
    }
  }

  private func fillRadial(_ row: Int, _ start: Int, _ end: Int, _ back: Transform) {
    var place = back(Point(Double(start) + 0.5, Double(row) + 0.5))
    let scale = Double(rampCount - 1)
    let line = pixels + row * size.width
    var column = start
    while column < end {
      let square = place.x * place.x + place.y * place.y
      let index = square >= 1 ? rampCount - 1 : Int(square * scale)
      blend(line + column, ramp[index], weights[column])
      place.x += back.a
      place.y += back.b
      column += 1
    }
  }

  @inline(__always)
  private func blend(_ pixel: UnsafeMutablePointer<UInt32>, _ color: UInt32, _ weight: UInt32) {
    let alpha = color &>> 24
    let share = (weight &* (alpha &+ (alpha &>> 7))) &>> 8
    if share == 0 { return }
    let rest = 256 &- share
    let below = pixel.pointee
    pixel.pointee =
      ((((below & 0xFF00FF) &* rest) &+ ((color & 0xFF00FF) &* share) &+ 0x800080) &>> 8) & 0xFF00FF
      | ((((below & 0x00FF00) &* rest) &+ ((color & 0x00FF00) &* share) &+ 0x008000) &>> 8)
      & 0x00FF00
  }

  /// Fills the ramp with the colors of a gradient.
  ///
  /// A radial ramp is indexed by the squared distance, to avoid a square root per pixel.
  private func prepareRamp(_ stops: [Stop], squared: Bool) {
    var next = 0
    var index = 0
    while index < rampCount {
      let share = Double(index) / Double(rampCount - 1)
      let place = squared ? share.squareRoot() : share
      while next < stops.count, stops[next].place < place { next += 1 }
      if next == 0 {
        ramp[index] = stops[0].color.packed
      } else if next == stops.count {
        ramp[index] = stops[next - 1].color.packed
      } else {
        let low = stops[next - 1]
        let high = stops[next]
        let share = (place - low.place) / max(1e-9, high.place - low.place)
        ramp[index] = low.color.mixed(with: high.color, share).packed
      }
      index += 1
    }
  }
}
