import PictureCodecs
import Testing

@testable import PandaTUI
@testable import TerminalKit

@Suite struct LayoutTests {
  @Test func `at any size everything is on the screen and nothing overlaps`() {
    for columns in stride(from: 0, through: 400, by: 7) {
      for rows in 0...120 {
        for layout in [
          Layout(CellSize(columns: columns, rows: rows)),
          Layout(slideshow: CellSize(columns: columns, rows: rows)),
        ] {
          check(layout, columns, rows)
        }
      }
    }
  }

  private func check(_ layout: Layout, _ columns: Int, _ rows: Int) {
    var areas = [layout.picture, layout.info, layout.carousel, layout.hints].compactMap { $0 }
    if let row = layout.dividerRow {
      areas.append(CellRect(column: 0, row: row, columns: columns, rows: 1))
    }
    if let column = layout.dividerColumn, let frame = layout.frame {
      areas.append(
        CellRect(column: column, row: 1, columns: 1, rows: frame.rows - 2))
    }
    areas.removeAll(where: \.isEmpty)
    for (number, area) in areas.enumerated() {
      #expect(area.column >= 0 && area.columnRange.upperBound <= columns, "\(columns)x\(rows)")
      #expect(area.row >= 0 && area.rowRange.upperBound <= rows, "\(columns)x\(rows)")
      for other in areas[..<number] where rows > 1 {
        #expect(
          !area.columnRange.overlaps(other.columnRange) || !area.rowRange.overlaps(other.rowRange),
          "\(columns)x\(rows)")
      }
    }
  }

  @Test func `a wide screen has the carousel beside the card if pictures get larger`() {
    for (columns, rows) in [
      (76, 20), (80, 24), (100, 30), (120, 40), (160, 50), (200, 60), (400, 120), (240, 63),
    ] {
      let layout = Layout(CellSize(columns: columns, rows: rows))
      #expect(layout.isGrid && layout.showsThumbnails, "\(columns)x\(rows)")
      #expect(layout.dividerColumn != nil && layout.picture.columns > columns / 2)
    }
    for (columns, rows) in [(75, 24), (80, 15), (90, 60), (120, 90), (200, 12)] {
      let layout = Layout(CellSize(columns: columns, rows: rows))
      #expect(layout.dividerColumn == nil, "\(columns)x\(rows)")
    }
  }

  @Test func `a tall screen gives the carousel the rows that a square picture leaves`() {
    for (columns, rows, isGrid) in [
      (40, 60, true), (70, 60, true), (30, 40, true), (60, 52, true), (60, 44, false),
      (75, 24, false), (20, 13, false),
    ] {
      let layout = Layout(CellSize(columns: columns, rows: rows))
      #expect(layout.isGrid == isGrid && layout.dividerRow != nil, "\(columns)x\(rows)")
      #expect(layout.picture.rows <= layout.picture.columns / 2, "\(columns)x\(rows)")
    }
  }

  @Test func `a thumbnail in a row is whole, and no grid stretches one`() {
    for columns in 14...75 {
      for rows in 16...120 {
        let layout = Layout(CellSize(columns: columns, rows: rows))
        guard let area = layout.carousel, !layout.isGrid, layout.showsThumbnails else { continue }
        #expect(area.rows * 8 / 3 <= max(area.columns - 2, 10), "\(columns)x\(rows)")
      }
    }
    for (columns, rows) in [(78, 11), (38, 7), (118, 25), (198, 55)] {
      for count in 0...3 {
        let grid = FavoritesCarouselView.Grid(
          area: CellRect(column: 0, row: 0, columns: columns, rows: rows),
          cell: PixelSize(width: 8, height: 16), isWhole: true, columns: count == 0 ? 84 : 16,
          mostPictures: 400, sections: count == 0 ? [] : [count], motion: .off, moment: .zero)
        let shape = Double(grid.size.columns) / Double(2 * grid.size.rows)
        #expect((1.1...1.7).contains(shape), "\(columns)x\(rows): \(grid.size)")
      }
    }
  }

  @Test func `the card is as wide as its picture, and its line has space for a title`() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60), (160, 30)] {
      let layout = Layout(CellSize(columns: columns, rows: rows))
      #expect(layout.picture.rows * 8 / 3 + 2 >= layout.picture.columns, "\(columns)x\(rows)")
    }
    // Cells that are nearly square need more columns for the same picture.
    let size = CellSize(columns: 200, rows: 40)
    let square = Layout(size, cell: PixelSize(width: 10, height: 12))
    #expect(square.picture.columns < Layout(size).picture.columns)
  }

  @Test(arguments: [
    (columns: 27, rows: 20, cell: PixelSize(width: 8, height: 16), across: 2),
    (43, 41, PixelSize(width: 7, height: 15), 2), (28, 36, PixelSize(width: 8, height: 16), 1),
    (12, 20, PixelSize(width: 8, height: 16), 1),
  ])
  @MainActor func `the grid beside the card has three rows, by thumbnails of ten columns at least`(
    _ columns: Int, _ rows: Int, _ cell: PixelSize, across: Int
  ) {
    let grid = FavoritesCarouselView.Grid(
      area: CellRect(column: 0, row: 0, columns: columns, rows: rows), cell: cell, isWhole: false,
      columns: FavoritesCarouselView.sideColumns, mostPictures: 400, motion: .off, moment: .zero)
    #expect(grid.across == across)
  }

  @Test(arguments: [(200, 60), (400, 120), (30, 200), (12, 6)], [120, 400, 1])
  @MainActor func `a grid never shows more pictures than an output can`(
    _ size: (columns: Int, rows: Int), _ most: Int
  ) {
    let grid = FavoritesCarouselView.Grid(
      area: CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows),
      cell: PixelSize(width: 8, height: 16), isWhole: true, columns: 8, mostPictures: most,
      motion: .off, moment: .zero)
    let rows = (size.rows + grid.rowLines - 1) / grid.rowLines
    #expect(grid.across * rows <= most || grid.across == 1)
    #expect(grid.size.rows <= size.rows)
  }

  @Test func `an ordinary terminal shows picture, thumbnails, status and hints`() {
    let layout = Layout(CellSize(columns: 80, rows: 24))
    #expect(layout.showsThumbnails)
    #expect(layout.picture.rows >= 10)
    #expect(layout.status.row == 22)
    #expect(layout.hints.row == 23)
  }

  @Test func `a short terminal shows favorites as a line, a tiny one only the card`() {
    #expect(Layout(CellSize(columns: 60, rows: 10)).carousel?.rows == 1)
    #expect(Layout(CellSize(columns: 20, rows: 6)).carousel == nil)
    #expect(Layout(CellSize(columns: 20, rows: 6)).frame != nil)
    #expect(Layout(CellSize(columns: 1, rows: 1)).frame == nil)
  }

  @Test func `commands never act on a carousel that is not visible`() {
    let size = CellSize(columns: 80, rows: 24)
    #expect(Layout(size).pane(withFocus: .carousel) == .carousel)
    #expect(Layout(size).pane(withFocus: .card) == .card)
    #expect(Layout(slideshow: size).pane(withFocus: .carousel) == .card)
    #expect(Layout(CellSize(columns: 20, rows: 6)).pane(withFocus: .carousel) == .card)
  }
}
