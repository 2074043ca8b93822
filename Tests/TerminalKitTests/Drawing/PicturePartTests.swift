import Testing

@testable import TerminalKit

@Suite struct PicturePartTests {
  /// A picture that draws nothing.
  final class Plain: PreparedPicture {
    let size: CellSize
    var printed: [UInt8] { [] }
    let repair: PictureRepair
    init(_ size: CellSize, _ repair: PictureRepair = .rows) {
      self.size = size
      self.repair = repair
    }
    func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {}
  }

  static let rect = CellRect(column: 2, row: 1, columns: 6, rows: 4)

  func canvas(_ picture: Plain) -> Canvas {
    var canvas = Canvas(size: CellSize(columns: 20, rows: 8))
    canvas.place(picture, in: Self.rect, clip: CellRect(canvas.size))
    return canvas
  }

  @Test func `an uncovered picture is one part`() {
    let picture = Plain(Self.rect.size)
    #expect(
      canvas(picture).pictureParts == [
        PicturePart(
          picture: picture, cells: CellRect(Self.rect.size), point: CellPoint(column: 2, row: 1))
      ])
  }

  @Test func `a dialog in its middle leaves the parts around it, without overlap or gap`() {
    let picture = Plain(Self.rect.size)
    var canvas = canvas(picture)
    canvas.clear(CellRect(column: 4, row: 2, columns: 2, rows: 2))
    let parts = canvas.pictureParts
    #expect(parts.count == 4)
    var seen: Set<CellPoint> = []
    for part in parts {
      #expect(part.point.column - part.cells.column == 2)
      #expect(part.point.row - part.cells.row == 1)
      for row in part.cells.rowRange {
        for column in part.cells.columnRange {
          #expect(seen.insert(CellPoint(column: column, row: row)).inserted)
        }
      }
    }
    #expect(seen.count == 6 * 4 - 4)
    #expect(!seen.contains(CellPoint(column: 2, row: 1)))
  }

  @Test func `the clipped part is not visible`() {
    let picture = Plain(Self.rect.size)
    var canvas = Canvas(size: CellSize(columns: 20, rows: 8))
    canvas.place(
      picture, in: CellRect(column: -2, row: 0, columns: 6, rows: 4),
      clip: CellRect(column: 1, row: 0, columns: 10, rows: 3))
    #expect(
      canvas.pictureParts == [
        PicturePart(
          picture: picture, cells: CellRect(column: 3, row: 0, columns: 3, rows: 3),
          point: CellPoint(column: 1, row: 0))
      ])
  }

  @Test(arguments: [
    (PictureRepair.rows, [CellRect(column: 0, row: 2, columns: 6, rows: 1)]),
    (.part, [CellRect(column: 0, row: 0, columns: 6, rows: 4)]), (.nothing, []),
  ])
  func `text near a picture's row repairs what its kind needs`(
    _ repair: PictureRepair, _ expected: [CellRect]
  ) {
    let canvas = canvas(Plain(Self.rect.size, repair))
    var next = canvas
    next.draw("x", at: CellPoint(column: 12, row: 3))
    let part = canvas.pictureParts[0]
    #expect(part.cells(toRepair: ScreenDamage(from: canvas, to: next)) == expected)
  }

  @Test func `text far from it repairs nothing`() {
    let canvas = canvas(Plain(Self.rect.size, .part))
    var next = canvas
    next.draw("x", at: CellPoint(column: 19, row: 3))
    next.draw("x", at: CellPoint(column: 4, row: 7))
    let damage = ScreenDamage(from: canvas, to: next)
    #expect(!damage.isEmpty)
    #expect(canvas.pictureParts[0].cells(toRepair: damage).isEmpty)
    #expect(ScreenDamage(from: canvas, to: canvas).isEmpty)
  }
}
