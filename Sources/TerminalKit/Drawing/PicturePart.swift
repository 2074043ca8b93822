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

  /// Returns the cells to redraw after text was written to the screen.
  func cells(toRepair damage: ScreenDamage) -> [CellRect] {
    let columns = point.column..<point.column + cells.columns
    let touched = cells.rowRange.filter { row in
      damage.columns(in: point.row + row - cells.row)?.overlaps(columns) == true
    }
    guard !touched.isEmpty else { return [] }
    switch picture.repair {
    case .nothing: return []
    case .part: return [cells]
    case .rows:
      return touched.map { row in
        CellRect(column: cells.column, row: row, columns: cells.columns, rows: 1)
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
