/// A visible rectangle of a picture on the screen.
struct PicturePart: Hashable, Sendable {
  package let picture: any PreparedPicture
  /// The cells of the picture.
  let cells: CellRect
  /// The screen position of the first of them.
  package let point: CellPoint

  package static func == (one: PicturePart, other: PicturePart) -> Bool {
    one.picture === other.picture && one.cells == other.cells && one.point == other.point
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(picture))
    hasher.combine(cells)
    hasher.combine(point)
  }

  /// Returns the cells to draw so that all of them are on the screen.
  ///
  /// - Parameters:
  ///   - shown: the parts that were drawn up to now.
  ///   - damage: the text that was written since then.
  func cells(missingFrom shown: [PicturePart], _ damage: ScreenDamage) -> [CellRect] {
    let isShown = shown.contains(self)
    switch picture.repair {
    case .nothing: return isShown ? [] : [cells]
    case .image: return isShown && !cells.rowRange.contains { isTouched($0, damage) } ? [] : [cells]
    case .part: return missingRuns(shown, damage).isEmpty ? [] : [cells]
    case .rows:
      guard isShown else { return [cells] }
      return cells.rowRange.filter { isTouched($0, damage) }.map { row in
        CellRect(column: cells.column, row: row, columns: cells.columns, rows: 1)
      }
    case .cells: return missingRuns(shown, damage).joined()
    }
  }

  /// The screen position of the picture's own first cell.
  private var origin: CellPoint {
    CellPoint(column: point.column - cells.column, row: point.row - cells.row)
  }

  /// Whether text was written into a row of the picture, within this part.
  private func isTouched(_ row: Int, _ damage: ScreenDamage) -> Bool {
    damage.touches(point.column..<point.column + cells.columns, row: origin.row + row)
  }

  /// Returns a run of cells for each row that the screen does not show whole.
  private func missingRuns(_ shown: [PicturePart], _ damage: ScreenDamage) -> [CellRect] {
    let former = shown.filter { $0.picture === picture && $0.origin == origin }
    return cells.rowRange.compactMap { row in
      let drawn = former.filter { $0.cells.rowRange.contains(row) }.map(\.cells.columnRange)
      let isTouched = isTouched(row, damage)
      if !isTouched, drawn.contains(where: { $0.contains(cells.columnRange) }) { return nil }
      func isMissing(_ column: Int) -> Bool {
        let place = origin.column + column
        return !drawn.contains { $0.contains(column) }
          || isTouched && damage.touches(place..<place + 1, row: origin.row + row)
      }
      guard let first = cells.columnRange.first(where: isMissing),
        let last = cells.columnRange.last(where: isMissing)
      else { return nil }
      return CellRect(column: first, row: row, columns: last + 1 - first, rows: 1)
    }
  }
}

extension [CellRect] {
  /// Returns the same cells in fewer rectangles: rows that follow each other become one.
  fileprivate func joined() -> [CellRect] {
    reduce(into: []) { rects, next in
      if let last = rects.last, last.columnRange == next.columnRange,
        last.rowRange.upperBound == next.row
      {
        rects[rects.count - 1].rows += next.rows
      } else {
        rects.append(next)
      }
    }
  }
}

extension Canvas {
  /// The rectangles of pictures that are not covered.
  var pictureParts: [PicturePart] {
    placements.flatMap { placement in
      visibleRects(of: placement.rect).map { rect in
        PicturePart(
          picture: placement.picture,
          cells: CellRect(
            column: rect.column - placement.rect.column, row: rect.row - placement.rect.row,
            columns: rect.columns, rows: rect.rows),
          point: CellPoint(column: rect.column, row: rect.row))
      }
    }
  }

  /// Splits the visible cells of a picture's rectangle into as few rectangles as possible.
  private func visibleRects(of rect: CellRect) -> [CellRect] {
    var finished: [CellRect] = []
    var growing: [CellRect] = []
    for row in rect.rowRange {
      let runs = columnsUnderPicture(row: row, in: rect.columnRange)
      var next: [CellRect] = []
      for run in runs {
        if let index = growing.firstIndex(where: { $0.columnRange == run }) {
          var rect = growing.remove(at: index)
          rect.rows += 1
          next.append(rect)
        } else {
          next.append(CellRect(column: run.lowerBound, row: row, columns: run.count, rows: 1))
        }
      }
      finished += growing
      growing = next
    }
    return finished + growing
  }
}
