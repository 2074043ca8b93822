import Foundation
import PandaCore
import Pantry
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
          Layout(CellSize(columns: columns, rows: rows), panel: .below),
          Layout(CellSize(columns: columns, rows: rows), isFolded: true),
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

  /// Cells of a usual font, as kitty has them.
  static let cell = PixelSize(width: 8, height: 15)

  @Test(
    arguments: [
      (80, 24, 4, 3, .beside), (80, 24, 3, 2, .beside), (80, 24, 2, 3, .beside),
      (80, 24, 5, 2, .below), (120, 40, 4, 3, .beside), (120, 40, 3, 2, .beside),
      (120, 40, 3, 4, .beside), (120, 40, 2, 1, .below), (120, 40, 5, 2, .below),
      (200, 60, 4, 3, .beside), (200, 60, 3, 2, .beside), (200, 60, 5, 2, .below),
      (90, 60, 4, 3, .below),
    ] as [(Int, Int, Int, Int, Layout.Panel)])
  func `the larger picture decides where the favorites are`(
    _ columns: Int, _ rows: Int, _ width: Int, _ height: Int, panel: Layout.Panel
  ) {
    let size = CellSize(columns: columns, rows: rows)
    let shape = PixelSize(width: width, height: height)
    let layout = Layout.fitting(shape, size, cell: Self.cell)
    #expect(layout == Layout(size, cell: Self.cell, panel: panel))
    let other = Layout(size, cell: Self.cell, panel: panel == .beside ? .below : .beside)
    #expect(layout.area(of: shape, cell: Self.cell) >= other.area(of: shape, cell: Self.cell))
    #expect(layout.showsThumbnails)
  }

  /// The shape, in hundredths, above which the strip below shows the larger picture.
  @Test(arguments: [(120, 40, 157), (80, 24, 197)])
  func `the strip wins for pictures wider than a limit`(
    _ columns: Int, _ rows: Int, _ limit: Int
  ) {
    let size = CellSize(columns: columns, rows: rows)
    for (width, isBelow) in [(limit - 1, false), (limit + 1, true)] {
      let shape = PixelSize(width: width, height: 100)
      let layout = Layout.fitting(shape, size, cell: PixelSize(width: 7, height: 15))
      #expect((layout.dividerRow != nil) == isBelow, "\(width)")
    }
  }

  @Test func `a screen of 120x40 has the sizes that were measured`() {
    let (size, cell) = (CellSize(columns: 120, rows: 40), PixelSize(width: 7, height: 15))
    let beside = Layout(size, cell: cell, panel: .beside)
    let below = Layout(size, cell: cell, panel: .below)
    #expect(below.picture == CellRect(column: 1, row: 1, columns: 118, rows: 27))
    #expect(below.carousel?.rows == 6)
    #expect(beside.picture.columns == 91 && beside.carousel?.columns == 26)
    for (layout, width, height, area) in [
      (beside, 4, 3, 304), (below, 4, 3, 218), (beside, 16, 9, 228), (below, 16, 9, 291),
    ] {
      let shape = PixelSize(width: width, height: height)
      #expect(layout.area(of: shape, cell: cell) / 1_000 == area)
    }
  }

  @Test func `without favorites the picture has the whole card, and a line is in the frame`() {
    for (columns, rows) in [(80, 24), (120, 40), (40, 12), (20, 8)] {
      let size = CellSize(columns: columns, rows: rows)
      let layout = Layout(size, isFolded: true)
      #expect(layout.isFolded && layout.carousel == nil && layout.dividerRow == nil)
      #expect(layout.picture.columns == columns - 2)
      #expect(layout.picture.rows >= Layout(size).picture.rows)
    }
    #expect(Layout(CellSize(columns: 40, rows: 12)).picture.rows == 7)
  }

  @Test func `a tall screen gives the carousel the rows that a square picture leaves`() {
    for (columns, rows, isGrid) in [
      (40, 60, true), (70, 60, true), (30, 40, true), (60, 52, true), (60, 44, false),
      (75, 24, false),
    ] {
      let layout = Layout(CellSize(columns: columns, rows: rows), panel: .below)
      #expect(layout.isGrid == isGrid && layout.dividerRow != nil, "\(columns)x\(rows)")
      #expect(layout.picture.rows <= layout.picture.columns / 2, "\(columns)x\(rows)")
    }
  }

  @Test func `a thumbnail in a row is whole, and no grid stretches one`() {
    for columns in 14...75 {
      for rows in 16...120 {
        let layout = Layout(CellSize(columns: columns, rows: rows), panel: .below)
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

  @Test func `the card is as wide as an ordinary photo, or its lines have space for a title`() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60), (160, 30)] {
      let layout = Layout(CellSize(columns: columns, rows: rows))
      #expect(
        layout.picture.columns <= max(64, columns / 2, layout.picture.rows * 3),
        "\(columns)x\(rows)")
    }
    // Cells that are nearly square need more columns for the same picture.
    let size = CellSize(columns: 200, rows: 40)
    let square = Layout(size, cell: PixelSize(width: 10, height: 12))
    #expect(square.picture.columns < Layout(size).picture.columns)
  }

  @Test(arguments: [
    (800, 600, 16, 6, false), (900, 600, 16, 6, false), (480, 600, 16, 6, false),
    (700, 700, 16, 6, false), (602, 400, 16, 5, true), (1_500, 500, 16, 3, true),
    (395, 500, 10, 6, true), (400, 800, 6, 6, true), (10_000, 1, 16, 1, true),
  ])
  @MainActor func `a thumbnail shows the shape of what is wider than 3 to 2 or taller than 4 to 5`(
    _ width: Int, _ height: Int, _ columns: Int, _ rows: Int, isWhole: Bool
  ) {
    let image = RemoteImage(
      createdAt: .now, url: URL(string: "https://x/1")!, width: width, height: height,
      dataRepresentation: Attachment(Data()), source: "zoo")
    let (place, cell) = (CellSize(columns: 16, rows: 6), PixelSize(width: 8, height: 16))
    let wanted = FavoritesCarouselView.thumbnail(of: image, in: place, cell: cell)
    #expect(wanted.size == CellSize(columns: columns, rows: rows) && wanted.isWhole == isWhole)
    #expect(
      FavoritesCarouselView.thumbnail(of: image, in: place, cell: cell, isUncropped: true).isWhole)
  }

  /// The share of the area that thumbnails and their names take, in percent.
  private func share(_ grid: FavoritesCarouselView.Grid, of count: Int) -> Int {
    count * grid.size.columns * (grid.size.rows + 1) * 100
      / (grid.area.columns * grid.area.rows)
  }

  @Test(arguments: [(2, 98, 27), (5, 158, 43), (1, 78, 19), (12, 198, 55)])
  @MainActor func `few favorites are as large as all in view can be`(
    _ count: Int, _ columns: Int, _ rows: Int
  ) {
    let grid = FavoritesCarouselView.Grid(
      area: CellRect(column: 0, row: 0, columns: columns, rows: rows), cell: Self.cell,
      isWhole: true, columns: 16, mostPictures: 400, sections: [count], motion: .off, moment: .zero)
    #expect((count + grid.across - 1) / grid.across * grid.rowLines <= rows)
    #expect(share(grid, of: count) >= 45, "\(grid.size) \(grid.across)")
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
