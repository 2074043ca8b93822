internal import PictureCodecs
internal import TerminalKit

/// Measures the steps of zooming into a picture.
struct ZoomBenchmark {
  private static let steps = Extent.isShort ? 3 : 60

  let report: Report

  /// - Parameter picture: a picture of 12 megapixels.
  func run(_ picture: Bitmap) {
    let cells = CellSize(columns: 80, rows: 40)
    let cell = PixelSize(width: 8, height: 16)
    var pyramid = PicturePyramid(picture)
    let opening = (0..<Extent.runs(5)).map { _ in
      milliseconds { pyramid = PicturePyramid(picture) }
    }
    report.note("Zooming into the same picture, from all of it to 32x32 pixels, at 80x40 cells")
    report.header(["median ms", "p99 ms", "worst ms"])
    let output = SymbolOutput(symbols: .sextants)
    report.row(
      "a step in symbols", of: "zoom",
      latencySummary(
        times(picture.size) { rect in
          let pixels = CellRect(cells).pixels(cell: output.pixelsPerCell(cell)).size
          let part = pyramid.part(rect, covering: pixels)
          _ = output.prepare(part, encoded: nil, filling: cells, cell: cell)
        }))
    let kitty = KittyOutput(
      .placements, images: KittyImages(route: .direct), readsFiles: false)
    if let whole = kitty.magnifiable(picture) {
      var bytes: [UInt8] = []
      whole.part(PixelRect(x: 0, y: 0, size: picture.size), filling: cells)
        .draw(CellRect(cells), at: CellPoint(column: 0, row: 0), into: &bytes)
      var most = 0
      report.row(
        "a step in kitty, after the first", of: "zoom",
        latencySummary(
          times(picture.size) { rect in
            bytes = []
            whole.part(rect, filling: cells)
              .draw(CellRect(cells), at: CellPoint(column: 0, row: 0), into: &bytes)
            most = max(most, bytes.count)
          }))
      report.note("bytes of a step in kitty: at most \(most)")
    }
    report.note("halves of the picture, made when it is opened: \(Int(median(opening))) ms")
  }

  /// Returns the time of each step, of parts that get smaller toward a corner.
  private func times(_ size: PixelSize, _ step: (PixelRect) -> Void) -> [Double] {
    (0..<Self.steps).map { number in
      let share = 1 - Double(number) / Double(Self.steps)
      let side = max(32, Int(Double(size.width) * share * share))
      let rect = PixelRect(
        x: (size.width - side) / 3, y: (size.height - side) / 2,
        size: PixelSize(width: side, height: side))
      return milliseconds { step(rect) }
    }
  }
}
