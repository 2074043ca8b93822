extension Bitmap {
  /// Returns the picture at an exact size, each pixel the average of the area it covers.
  ///
  /// When enlarging, pixels repeat. Colors are weighted by alpha, so that transparent pixels do not
  /// darken their neighbors. A size less than 1 counts as 1; an empty picture becomes a transparent
  /// one.
  ///
  /// - Complexity: O(pixels of the source + pixels of the result).
  package func scaled(to target: PixelSize) -> Bitmap {
    if target == size { return self }
    let target = PixelSize(width: max(1, target.width), height: max(1, target.height))
    var result = Bitmap(
      size: target, pixels: [UInt8](repeating: 0, count: target.width * target.height * 4))
    guard size.width > 0, size.height > 0 else { return result }
    let across = AreaWeights(from: size.width, to: target.width)
    let down = AreaWeights(from: size.height, to: target.height)
    pixels.withUnsafeBufferPointer { source in
      result.pixels.withUnsafeMutableBufferPointer { result in
        // Each band writes its own lines.
        nonisolated(unsafe) let (source, result) = (source.baseAddress!, result.baseAddress!)
        let pixels = max(size.width * size.height, target.width * target.height)
        RowBands.forEach(rows: target.height, pixels: pixels) { lines in
          Self.scale(source, width: size.width, across, down, lines, to: result)
        }
      }
    }
    return result
  }

  /// Returns the part of the picture within a rectangle, clipped to the picture.
  ///
  /// The result is empty if the rectangle lies entirely outside.
  package func cropped(to rect: PixelRect) -> Bitmap {
    let columns = Self.overlap(rect.x, rect.size.width, within: size.width)
    let rows = Self.overlap(rect.y, rect.size.height, within: size.height)
    if columns.count == size.width, rows.count == size.height { return self }
    guard !columns.isEmpty, !rows.isEmpty else {
      return Bitmap(size: PixelSize(width: 0, height: 0), pixels: [])
    }
    var cut: [UInt8] = []
    cut.reserveCapacity(columns.count * rows.count * 4)
    for row in rows {
      let start = row * size.width
      cut += pixels[((start + columns.lowerBound) * 4)..<((start + columns.upperBound) * 4)]
    }
    return Bitmap(size: PixelSize(width: columns.count, height: rows.count), pixels: cut)
  }

  /// The largest part of the picture with another size's proportions, in its upper middle.
  ///
  /// - Parameter aspect: has the proportions; its own size does not matter.
  package func cropped(toFill aspect: PixelSize) -> Bitmap {
    size.width > 0 && size.height > 0 ? cropped(to: size.upperCenterRect(toFill: aspect)) : self
  }

  /// Returns the picture reduced by averaging boxes of `factor` x `factor` pixels.
  func reduced(byBoxesOf factor: Int, isOpaque: Bool = true) -> Bitmap {
    guard factor > 1 else { return self }
    var reducer = BoxReducer(source: size, factor: factor, isOpaque: isOpaque)
    pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<size.height {
        reducer.add(pixels.baseAddress! + row * size.width * 4)
      }
    }
    return reducer.finish()
  }

  /// Returns the part of `start ..< start + length` within `0 ..< limit`.
  private static func overlap(_ start: Int, _ length: Int, within limit: Int) -> Range<Int> {
    let (end, overflow) = start.addingReportingOverflow(max(0, length))
    let lower = min(max(0, start), limit)
    return lower..<max(lower, min(overflow ? limit : end, limit))
  }

  /// Writes some lines of a picture at another size.
  private static func scale(
    _ source: UnsafePointer<UInt8>, width: Int, _ across: AreaWeights, _ down: AreaWeights,
    _ lines: Range<Int>, to result: UnsafeMutablePointer<UInt8>
  ) {
    // One row of the source averaged horizontally, and the row of the result being accumulated.
    var narrow = [Float](repeating: 0, count: across.target * 4)
    var narrowRow = -1
    var sums = narrow
    narrow.withUnsafeMutableBufferPointer { narrow in
      sums.withUnsafeMutableBufferPointer { sums in
        for line in lines {
          sums.update(repeating: 0)
          for row in down.range(of: line) {
            // A source row on the border of two result rows counts for both but is averaged only
            // once.
            if row != narrowRow {
              across.average(source + row * width * 4, into: narrow.baseAddress!)
              narrowRow = row
            }
            let weight = down.weight(of: row, in: line)
            var index = 0
            while index < narrow.count {
              sums[index] += narrow[index] * weight
              index &+= 1
            }
          }
          write(sums, to: result + line * across.target * 4)
        }
      }
    }
  }

  /// Converts sums of premultiplied colors and alphas, with weights adding up to 1, to straight
  /// RGBA.
  private static func write(
    _ sums: UnsafeMutableBufferPointer<Float>, to pixels: UnsafeMutablePointer<UInt8>
  ) {
    var index = 0
    while index < sums.count {
      let alpha = sums[index &+ 3]
      // Below half a step of alpha a pixel counts as transparent, and its color is meaningless.
      let weight = alpha < 0.5 ? 0 : 1 / alpha
      pixels[index] = UInt8(min(255, sums[index] * weight + 0.5))
      pixels[index &+ 1] = UInt8(min(255, sums[index &+ 1] * weight + 0.5))
      pixels[index &+ 2] = UInt8(min(255, sums[index &+ 2] * weight + 0.5))
      pixels[index &+ 3] = UInt8(min(255, alpha + 0.5))
      index &+= 4
    }
  }
}

/// Distributes the pixels of a line over a different number of equal parts.
///
/// With the line divided into `source * target` units, a pixel has `target` of them and a part has
/// `source`: all borders are whole numbers.
private struct AreaWeights {
  let source: Int
  let target: Int
  private let unit: Float

  init(from source: Int, to target: Int) {
    self.source = source
    self.target = target
    unit = 1 / Float(source)
  }

  /// Returns the pixels that a part overlaps.
  func range(of part: Int) -> Range<Int> {
    (part * source / target)..<((part * source + source + target - 1) / target)
  }

  /// Returns the share of a part that a pixel covers; a part's shares add up to 1.
  func weight(of pixel: Int, in part: Int) -> Float {
    let start = max(pixel * target, part * source)
    let end = min((pixel + 1) * target, (part + 1) * source)
    return Float(end - start) * unit
  }

  /// Averages a row of straight RGBA into premultiplied sums: color times alpha, and alpha.
  func average(_ row: UnsafePointer<UInt8>, into sums: UnsafeMutablePointer<Float>) {
    var part = 0
    while part < target {
      var (red, green, blue, alpha) = (Float(0), Float(0), Float(0), Float(0))
      let range = range(of: part)
      var pixel = range.lowerBound
      while pixel < range.upperBound {
        let share = weight(of: pixel, in: part) * Float(row[pixel &* 4 &+ 3])
        red += Float(row[pixel &* 4]) * share
        green += Float(row[pixel &* 4 &+ 1]) * share
        blue += Float(row[pixel &* 4 &+ 2]) * share
        alpha += share
        pixel &+= 1
      }
      sums[part &* 4] = red
      sums[part &* 4 &+ 1] = green
      sums[part &* 4 &+ 2] = blue
      sums[part &* 4 &+ 3] = alpha
      part &+= 1
    }
  }
}
