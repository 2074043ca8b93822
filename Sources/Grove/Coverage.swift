/// Accumulates how much of each pixel a shape covers, from the exact areas under its edges.
///
/// Each cell holds the change of coverage from its left neighbor, so that a running sum along a row
/// gives the coverage, as in the rasterizers of FreeType and font-rs. The winding rule is nonzero:
/// contours with the same direction merge.
final class Coverage {
  let width: Int
  let height: Int
  /// The cells: `width + 2` per row, because an edge also changes the cell to its right.
  let cells: UnsafeMutablePointer<Float>
  let stride: Int
  /// The first and last touched cell of each row; first > last if none was touched.
  let first: UnsafeMutablePointer<Int>
  let last: UnsafeMutablePointer<Int>
  /// The touched rows.
  private(set) var top: Int
  private(set) var bottom = -1

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = width + 2
    cells = .allocate(capacity: stride * height)
    cells.initialize(repeating: 0, count: stride * height)
    first = .allocate(capacity: height)
    first.initialize(repeating: .max, count: height)
    last = .allocate(capacity: height)
    last.initialize(repeating: -1, count: height)
    top = height
  }

  deinit {
    cells.deallocate()
    first.deallocate()
    last.deallocate()
  }

  /// Resets the touched rows; the reader has already zeroed their cells.
  func reset() {
    var row = top
    while row <= bottom {
      first[row] = .max
      last[row] = -1
      row += 1
    }
    top = height
    bottom = -1
  }

  /// Adds a closed outline, with curves split into lines short enough to look smooth.
  func add(_ path: Path, by map: Transform) {
    var start = Point(0, 0)
    var current = start
    for element in path.elements {
      switch element {
      case .move(let point):
        add(current, start)
        start = map(point)
        current = start
      case .line(let point):
        let next = map(point)
        add(current, next)
        current = next
      case .cubic(let first, let second, let end):
        let last = map(end)
        add(cubic: current, map(first), map(second), last)
        current = last
      }
    }
    add(current, start)
  }

  private func add(cubic start: Point, _ first: Point, _ second: Point, _ end: Point) {
    // A chord deviates from the curve by at most 0.75 bend / steps^2: here a fiftieth of a pixel.
    let bend = max(
      (start - first * 2 + second).length, (first - second * 2 + end).length)
    guard bend < 1e7 else { return }
    let steps = max(1, Int((bend * 40).squareRoot().rounded(.up)))
    let cube = end - start + (first - second) * 3
    let square = (start - first * 2 + second) * 3
    let linear = (first - start) * 3
    var current = start
    var step = 1
    while step <= steps {
      let share = Double(step) / Double(steps)
      let next =
        step == steps ? end : start + (linear + (square + cube * share) * share) * share
      add(current, next)
      current = next
      step += 1
    }
  }

  /// Adds one edge of an outline, in pixels.
  func add(_ start: Point, _ end: Point) {
    if start.y == end.y { return }
    let down = start.y < end.y
    let upper = down ? start : end
    let lower = down ? end : start
    let limit = Double(height)
    if lower.y <= 0 || upper.y >= limit { return }
    let slope = (lower.x - upper.x) / (lower.y - upper.y)
    let startY = upper.y > 0 ? upper.y : 0
    let endY = lower.y < limit ? lower.y : limit
    var x = upper.x + slope * (startY - upper.y)
    var y = startY
    var row = Int(startY)
    if row < top { top = row }
    let right = Double(width)
    while y < endY {
      let rowEnd = Double(row + 1)
      let nextY = rowEnd < endY ? rowEnd : endY
      let height = nextY - y
      let nextX = x + slope * height
      var low = x < nextX ? x : nextX
      var high = x < nextX ? nextX : x
      if low < 0 { low = 0 } else if low > right { low = right }
      if high < 0 { high = 0 } else if high > right { high = right }
      add(row: row, from: low, to: high, Float(down ? height : -height))
      x = nextX
      y = nextY
      row += 1
    }
    if row - 1 > bottom { bottom = row - 1 }
  }

  /// Adds the part of an edge inside one row: `amount` is its signed height.
  private func add(row: Int, from low: Double, to high: Double, _ amount: Float) {
    let firstCell = Int(low)
    let lastCell = Int(high)
    if firstCell < first[row] { first[row] = firstCell }
    if lastCell + 1 > last[row] { last[row] = lastCell + 1 }
    let line = cells + row * stride
    let from = Float(low - Double(firstCell))
    let to = Float(high - Double(lastCell))
    if firstCell == lastCell {
      let aside = amount * (from + to) * 0.5
      line[firstCell] += amount - aside
      line[firstCell + 1] += aside
      return
    }
    // The edge crosses several cells: a triangle, trapezoids, a triangle.
    let slope = amount / Float(high - low)
    let rest = 1 - from
    var covered = slope * rest * rest * 0.5
    line[firstCell] += covered
    var previous = covered
    var cell = firstCell + 1
    while cell < lastCell {
      covered = slope * (Float(cell) - Float(low) + 0.5)
      line[cell] += covered - previous
      previous = covered
      cell += 1
    }
    covered = amount - slope * to * to * 0.5
    line[lastCell] += covered - previous
    line[lastCell + 1] += amount - covered
  }
}
