import Testing

@testable import PandaTUI

@Suite struct LayoutTests {
  @Test func `at any size everything is on the screen and nothing overlaps`() {
    for columns in stride(from: 0, through: 400, by: 7) {
      for rows in 0...120 {
        let layout = Layout(CellSize(columns: columns, rows: rows))
        var taken: Set<Int> = []
        for rect in [layout.picture, layout.info, layout.carousel].compactMap({ $0 })
        where !rect.isEmpty {
          #expect(rect.column >= 0 && rect.columnRange.upperBound <= columns)
          #expect(rect.row >= 0 && rect.rowRange.upperBound <= rows, "\(columns)x\(rows)")
          for row in rect.rowRange { #expect(taken.insert(row).inserted, "\(columns)x\(rows)") }
        }
        if let divider = layout.dividerRow { #expect(taken.insert(divider).inserted) }
        if rows > 1 { #expect(!taken.contains(layout.hints.row)) }
      }
    }
  }

  @Test func `an ordinary terminal shows picture, thumbnails, status and hints`() {
    let layout = Layout(CellSize(columns: 80, rows: 24))
    #expect(layout.showsThumbnails)
    #expect(layout.picture.rows >= 10)
    #expect(layout.status.row == 22)
    #expect(layout.hints.row == 23)
  }

  @Test func `a low one shows the favorites as a line, a tiny one only the card`() {
    #expect(Layout(CellSize(columns: 60, rows: 10)).carousel?.rows == 1)
    #expect(Layout(CellSize(columns: 20, rows: 6)).carousel == nil)
    #expect(Layout(CellSize(columns: 20, rows: 6)).frame != nil)
    #expect(Layout(CellSize(columns: 1, rows: 1)).frame == nil)
  }
}
