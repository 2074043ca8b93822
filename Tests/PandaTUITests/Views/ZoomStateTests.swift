import PictureCodecs
import Testing

@testable import PandaTUI
@testable import TerminalKit

@Suite struct ZoomStateTests {
  let cell = PixelSize(width: 10, height: 20)
  var wide: ZoomState {
    ZoomState(
      PixelSize(width: 4_000, height: 2_000), view: CellSize(columns: 80, rows: 30), cell: cell)
  }

  @Test func `at first the whole picture is shown as large as fits`() {
    let state = wide
    #expect(state.isFitted && state.scale == 0.2)
    #expect(state.size == CellSize(columns: 80, rows: 20))
    #expect(
      state.region == PixelRect(x: 0, y: 0, size: PixelSize(width: 4_000, height: 2_000)))
    let small = ZoomState(
      PixelSize(width: 20, height: 20), view: CellSize(columns: 80, rows: 30), cell: cell)
    #expect(small.size == CellSize(columns: 60, rows: 30))
    #expect(small.scale == 30)
  }

  @Test func `enlarging stops at actual size on its way, and has a limit`() {
    var state = wide
    state.zoom(by: 7)
    #expect(state.scale < 1 && !state.isFitted)
    state.zoom(by: 1)
    #expect(state.scale == 1)
    #expect(state.region.size == PixelSize(width: 800, height: 600))
    #expect(state.region.x == 1_600 && state.region.y == 700)
    state.zoom(by: 99)
    #expect(state.scale == 16)
    state.zoom(by: -99)
    #expect(state.scale == 1)
    state.zoom(by: -99)
    #expect(state.isFitted && state.region.x == 0)
  }

  @Test func `the place under the pointer stays there`() {
    var state = wide
    state.toggleActualSize()
    let point = CellPoint(column: 5, row: 3)
    func place(_ state: ZoomState) -> (Double, Double) {
      let region = state.region
      return (
        Double(region.x) + 5.5 * 10 / state.scale, Double(region.y) + 3.5 * 20 / state.scale
      )
    }
    let before = place(state)
    state.zoom(by: 3, at: point)
    #expect(state.scale > 1.9)
    #expect(abs(place(state).0 - before.0) < 2 && abs(place(state).1 - before.1) < 2)
  }

  @Test func `panning stops at the edges, and does nothing while all is shown`() {
    var state = wide
    let whole = state.region
    state.pan(columns: 10, rows: 10)
    #expect(state.region == whole)
    state.toggleActualSize()
    state.pan(columns: -10, rows: 0)
    #expect(state.region.x == 1_500)
    state.pan(columns: 9_999, rows: -9_999)
    #expect(state.region.x == 3_200 && state.region.y == 0)
  }

  @Test func `Z shows the actual size, or twice the fitted size of a small picture`() {
    var state = ZoomState(
      PixelSize(width: 1_000, height: 500), view: CellSize(columns: 80, rows: 30), cell: cell)
    state.toggleActualSize()
    #expect(state.scale == 1)
    state.toggleActualSize()
    #expect(state.isFitted)
    var small = ZoomState(
      PixelSize(width: 400, height: 200), view: CellSize(columns: 80, rows: 30), cell: cell)
    let fitted = small.scale
    small.toggleActualSize()
    #expect(fitted > 1 && small.scale == fitted * 2)
  }

  @Test func `resizing the window keeps a whole picture whole, and a part within it`() {
    var state = wide
    state.resize(CellSize(columns: 40, rows: 10), cell: cell)
    #expect(state.isFitted && state.size.columns == 40)
    state.toggleActualSize()
    state.pan(columns: 9_999, rows: 9_999)
    state.resize(CellSize(columns: 80, rows: 30), cell: cell)
    let region = state.region
    #expect(region.x + region.size.width == 4_000 && region.y + region.size.height == 2_000)
    for (columns, rows) in [(0, 0), (1, 1), (500, 300)] {
      state.resize(CellSize(columns: columns, rows: rows), cell: PixelSize(width: 0, height: 0))
      #expect(!state.size.isEmpty && state.region.size.width > 0)
    }
  }
}
