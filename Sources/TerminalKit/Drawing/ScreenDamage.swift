/// The cells that ncurses may write when one frame follows another.
struct ScreenDamage: Sendable {
  private let rows: [Range<Int>?]

  /// How many cells before a change ncurses may write again to get there: writing a few cells is
  /// shorter than moving the cursor (`mvcur`).
  private static let approach = 8

  /// Compares two frames of one size.
  ///
  /// - Parameter former: nil where everything is written anew.
  init(from former: Canvas?, to canvas: Canvas) {
    rows = canvas.rows.indices.map { row in
      let cells = canvas.rows[row]
      guard let former else { return 0..<cells.count }
      let old = former.rows[row]
      guard let first = cells.indices.first(where: { cells[$0] != old[$0] }),
        let last = cells.indices.last(where: { cells[$0] != old[$0] })
      else { return nil }
      return max(0, first - Self.approach)..<last + 1
    }
  }

  /// Whether nothing is written.
  package var isEmpty: Bool { rows.allSatisfy { $0 == nil } }

  /// The columns of a row that may be written; nil when it stays as it is.
  package func columns(in row: Int) -> Range<Int>? {
    rows.indices.contains(row) ? rows[row] : nil
  }
}
