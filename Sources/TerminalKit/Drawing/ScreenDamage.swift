/// The cells that ncurses may write between one frame and the next.
struct ScreenDamage: Sendable {
  /// The runs of cells of each row, from left to right, at least a cell apart.
  private let rows: [[Range<Int>]]

  /// The number of unchanged cells that may be written again beside a change, where that takes
  /// fewer bytes than a cursor movement (`mvcur`).
  private static let reach = 8

  /// Compares two frames of the same size.
  ///
  /// - Parameters:
  ///   - former: nil if everything is redrawn.
  ///   - approaches: whether unchanged cells before a change may be written again. ncurses does
  ///     that with characters of one byte, never with a no-break space in UTF-8.
  init(from former: Canvas?, to canvas: Canvas, approaches: Bool = !localeShowsUnicode) {
    let approach = approaches ? Self.reach : 0
    rows = canvas.rows.indices.map { row in
      let cells = canvas.rows[row]
      guard let former else { return cells.isEmpty ? [] : [cells.indices] }
      let old = former.rows[row]
      var runs: [Range<Int>] = []
      for column in cells.indices where cells[column] != old[column] {
        if let last = runs.last, column - last.upperBound <= Self.reach {
          runs[runs.count - 1] = last.lowerBound..<column + 1
        } else {
          runs.append(max(0, column - approach)..<column + 1)
        }
      }
      return runs
    }
  }

  package var isEmpty: Bool { rows.allSatisfy(\.isEmpty) }

  /// Returns whether any cell of a row may be written.
  package func touches(row: Int) -> Bool { !rows[row].isEmpty }

  /// Returns whether any of these columns of a row may be written.
  package func touches(_ columns: Range<Int>, row: Int) -> Bool {
    rows.indices.contains(row) && rows[row].contains { $0.overlaps(columns) }
  }
}
