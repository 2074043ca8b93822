/// The cells that ncurses may write between one frame and the next.
struct ScreenDamage: Sendable {
  private let rows: [Range<Int>?]

  /// The number of cells before a change that ncurses may rewrite: that can take fewer bytes than a
  /// cursor movement (`mvcur`).
  private static let approach = 8

  /// Compares two frames of the same size.
  ///
  /// - Parameter former: nil if everything is redrawn.
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

  /// Whether no cell is written.
  package var isEmpty: Bool { rows.allSatisfy { $0 == nil } }

  /// Returns the columns of a row that may be written; nil if the row is unchanged.
  package func columns(in row: Int) -> Range<Int>? {
    rows.indices.contains(row) ? rows[row] : nil
  }
}
