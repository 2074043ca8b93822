/// A picture that can be cut anywhere, and compared with another one.
struct CropGrid {
  /// The number of cells in a row, and of rows, of what a cut leaves.
  private static let side = 16

  /// The most that is cut off at an edge, somewhat more than a sketch has.
  private static let greatestCut: Float = 0.12

  /// By how much a cut is changed in turn, and the correlation below which that is given up.
  ///
  /// Of the parts that are found, one in a hundred begins below 0.75; different drawings mostly do.
  private static let refinements: [(step: Float, least: Float)] = [
    (0.025, 0.7), (0.0125, 0.85), (0.00625, 0.9),
  ]

  /// The sums of the cells above and to the left of each corner.
  private let sums: [Float]

  /// Prepares 32 x 32 levels for cutting.
  init(_ levels: [Float]) {
    let side = PictureShape.side
    var sums = [Float](repeating: 0, count: (side + 1) * (side + 1))
    for row in 0..<side {
      var line: Float = 0
      for column in 0..<side {
        line += levels[row * side + column]
        sums[(row + 1) * (side + 1) + column + 1] = sums[row * (side + 1) + column + 1] + line
      }
    }
    self.sums = sums
  }

  /// Returns the best correlation with the steps of another picture, after a cut near a given one.
  func correlation(with steps: [Float], near cut: Cut) -> Float {
    var cut = cut
    var best = correlation(with: steps, within: cut)
    for (step, least) in Self.refinements {
      guard best >= least else { return best }
      var hasImproved = true
      while hasImproved {
        hasImproved = false
        for edge in [\Cut.left, \.top, \.right, \.bottom] {
          for change in [-step, step] {
            var other = cut
            other[keyPath: edge] += change
            guard (0...Self.greatestCut).contains(other[keyPath: edge]) else { continue }
            let correlation = correlation(with: steps, within: other)
            guard correlation > best else { continue }
            (cut, best, hasImproved) = (other, correlation, true)
          }
        }
      }
    }
    return best
  }

  private func correlation(with other: [Float], within cut: Cut) -> Float {
    let steps = steps(within: cut)
    var sum: Float = 0
    for index in steps.indices { sum += steps[index] * other[index] }
    return sum
  }

  /// Returns the steps between neighboring cells of what a cut leaves, of length 1 as a vector.
  ///
  /// All are 0 if the picture has a single color.
  func steps(within cut: Cut) -> [Float] {
    let side = Self.side
    let columns = Self.corners(from: cut.left, to: 1 - cut.right)
    let rows = Self.corners(from: cut.top, to: 1 - cut.bottom)
    var above: [Float]?
    var upper = sums(columns, rows[0])
    var steps: [Float] = []
    steps.reserveCapacity(2 * side * (side - 1))
    var squares: Float = 0
    for row in rows[1...] {
      let lower = sums(columns, row)
      let line: [Float] = (0..<side).map { column in
        let below = lower[column + 1] - lower[column]
        return below - (upper[column + 1] - upper[column])
      }
      for column in 0..<side {
        if column > 0 { steps.append(line[column] - line[column - 1]) }
        if let above { steps.append(line[column] - above[column]) }
      }
      (above, upper) = (line, lower)
    }
    for step in steps { squares += step * step }
    let scale = squares > 0 ? 1 / squares.squareRoot() : 0
    for index in steps.indices { steps[index] *= scale }
    return steps
  }

  /// A place along an axis: the index of a cell, and the part of it before the place.
  private typealias Corner = (index: Int, part: Float)

  private static func corners(from start: Float, to end: Float) -> [Corner] {
    (0...side).map { corner in
      let place =
        Float(PictureShape.side) * (start + (end - start) * Float(corner) / Float(side))
      let index = min(Int(place), PictureShape.side - 1)
      return (index, place - Float(index))
    }
  }

  /// Returns the sums above and to the left of each corner in a row.
  private func sums(_ columns: [Corner], _ row: Corner) -> [Float] {
    let width = PictureShape.side + 1
    return columns.map { column in
      let corner = row.index * width + column.index
      let upper = sums[corner] + (sums[corner + 1] - sums[corner]) * column.part
      let next = corner + width
      let lower = sums[next] + (sums[next + 1] - sums[next]) * column.part
      return upper + (lower - upper) * row.part
    }
  }
}
