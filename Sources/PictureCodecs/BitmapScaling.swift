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
    let count = across.target
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 2 * count) { buffer in
      // One row of the source averaged horizontally, and the row of the result being accumulated.
      let (narrow, sums) = (buffer.baseAddress!, buffer.baseAddress! + count)
      var narrowRow = -1
      for line in lines {
        sums.initialize(repeating: .zero, count: count)
        for (row, weight) in down.shares(of: line) {
          // A source row on the border of two result rows counts for both but is averaged only
          // once.
          if row != narrowRow {
            across.average(source + row * width * 4, into: narrow)
            narrowRow = row
          }
          var index = 0
          while index < count {
            sums[index] += narrow[index] * weight
            index &+= 1
          }
        }
        write(sums, count, to: result + line * count * 4)
      }
    }
  }

  /// Converts sums of premultiplied colors and alphas, with weights adding up to 1, to straight
  /// RGBA.
  private static func write(
    _ sums: UnsafePointer<SIMD4<Float>>, _ count: Int, to pixels: UnsafeMutablePointer<UInt8>
  ) {
    /// Rounds one that is not negative.
    func byte(_ level: Float) -> UInt8 { UInt8(truncatingIfNeeded: Int32(min(255, level + 0.5))) }
    var index = 0
    while index < count {
      let (sum, pixel) = (sums[index], pixels + index &* 4)
      // Below half a step of alpha a pixel counts as transparent, and its color is meaningless.
      let weight = sum.w < 0.5 ? 0 : 1 / sum.w
      pixel[0] = byte(sum.x * weight)
      pixel[1] = byte(sum.y * weight)
      pixel[2] = byte(sum.z * weight)
      pixel[3] = byte(sum.w)
      index &+= 1
    }
  }
}

/// Distributes the pixels of a line over a different number of equal parts.
///
/// With the line divided into `source * target` units, a pixel has `target` of them and a part has
/// `source`: all borders are whole numbers. The weights are computed once for all rows.
private struct AreaWeights {
  let target: Int
  /// The first pixel that each part overlaps.
  private var firsts: [Int] = []
  /// The index of the first weight of each part, and the end of all weights.
  private var starts: [Int] = []
  /// The share of each part that each of its pixels covers; a part's shares add up to 1.
  private var weights: [Float] = []

  init(from source: Int, to target: Int) {
    self.target = target
    firsts.reserveCapacity(target)
    starts.reserveCapacity(target + 1)
    weights.reserveCapacity(source + target)
    let unit = 1 / Float(source)
    for part in 0..<target {
      let pixels = (part * source / target)..<((part * source + source + target - 1) / target)
      firsts.append(pixels.lowerBound)
      starts.append(weights.count)
      for pixel in pixels {
        let start = max(pixel * target, part * source)
        let end = min((pixel + 1) * target, (part + 1) * source)
        weights.append(Float(end - start) * unit)
      }
    }
    starts.append(weights.count)
  }

  /// The pixels that a part overlaps, with the shares of the part that they cover.
  func shares(of part: Int) -> some Sequence<(pixel: Int, weight: Float)> {
    let range = starts[part]..<starts[part + 1]
    return zip(firsts[part]..., weights[range]).lazy.map { (pixel: $0, weight: $1) }
  }

  /// Averages a row of straight RGBA into premultiplied sums: color times alpha, and alpha.
  func average(_ row: UnsafePointer<UInt8>, into sums: UnsafeMutablePointer<SIMD4<Float>>) {
    firsts.withUnsafeBufferPointer { firsts in
      starts.withUnsafeBufferPointer { starts in
        weights.withUnsafeBufferPointer { weights in
          var part = 0
          while part < target {
            var pixel = row + firsts[part] &* 4
            var (sum, index) = (SIMD4<Float>.zero, starts[part])
            let end = starts[part &+ 1]
            while index < end {
              let share = weights[index] * Float(pixel[3])
              sum += SIMD4(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]), 1) * share
              pixel += 4
              index &+= 1
            }
            sums[part] = sum
            part &+= 1
          }
        }
      }
    }
  }
}
