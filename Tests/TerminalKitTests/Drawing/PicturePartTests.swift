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

  /// What a frame draws of its pictures after another one; each rectangle by its screen position.
  func drawn(_ canvas: Canvas, after former: Canvas, approaches: Bool = false) -> [CellRect] {
    let damage = ScreenDamage(from: former, to: canvas, approaches: approaches)
    return canvas.pictureParts.flatMap { part in
      part.cells(missingFrom: former.pictureParts, damage).map { cells in
        CellRect(
          column: part.point.column + cells.column - part.cells.column,
          row: part.point.row + cells.row - part.cells.row, columns: cells.columns,
          rows: cells.rows)
      }
    }
  }

  static let kinds: [PictureRepair] = [.cells, .rows, .part, .image, .nothing]

  @Test(arguments: kinds)
  func `a picture that is new, or elsewhere, is drawn whole`(_ repair: PictureRepair) {
    let former = canvas(Plain(Self.rect.size, repair))
    #expect(drawn(canvas(Plain(Self.rect.size, repair)), after: former) == [Self.rect])
    var moved = Canvas(size: former.size)
    let rect = CellRect(column: 3, row: 1, columns: 6, rows: 4)
    moved.place(former.placements[0].picture, in: rect, clip: CellRect(moved.size))
    #expect(drawn(moved, after: former) == [rect])
  }

  @Test(arguments: kinds)
  func `text around a picture draws nothing of it`(_ repair: PictureRepair) {
    // A narrower one may be written across; see below.
    let rect = CellRect(column: 2, row: 1, columns: 12, rows: 4)
    var canvas = Canvas(size: CellSize(columns: 20, rows: 8))
    canvas.place(Plain(rect.size, repair), in: rect, clip: CellRect(canvas.size))
    var framed = canvas
    framed.drawFrame(
      CellRect(column: 1, row: 0, columns: 14, rows: 6), title: "", ink: .accent,
      titleInk: .plain)
    framed.draw("message", at: CellPoint(column: 2, row: 7))
    #expect(!ScreenDamage(from: canvas, to: framed).isEmpty)
    #expect(drawn(framed, after: canvas).isEmpty)
    #expect(drawn(canvas, after: framed).isEmpty)
    #expect(ScreenDamage(from: canvas, to: canvas).isEmpty)
  }

  @Test(arguments: [
    (PictureRepair.cells, [CellRect(column: 2, row: 3, columns: 6, rows: 1)]),
    (.rows, [CellRect(column: 2, row: 3, columns: 6, rows: 1)]),
    (.part, [rect]), (.image, [rect]), (.nothing, []),
  ])
  func `text on both sides of a narrow picture may be written across it`(
    _ repair: PictureRepair, _ expected: [CellRect]
  ) {
    let canvas = canvas(Plain(Self.rect.size, repair))
    var next = canvas
    next.draw("x", at: CellPoint(column: 1, row: 3))
    next.draw("x", at: CellPoint(column: 8, row: 3))
    #expect(drawn(next, after: canvas) == expected)
  }

  @Test func `characters of one byte before a change may be written again`() {
    let canvas = canvas(Plain(Self.rect.size, .cells))
    var next = canvas
    next.draw("x", at: CellPoint(column: 12, row: 3))
    #expect(
      drawn(next, after: canvas, approaches: true)
        == [CellRect(column: 4, row: 3, columns: 4, rows: 1)])
  }

  static let dialog = CellRect(column: 4, row: 2, columns: 2, rows: 2)
  static let around = [
    CellRect(column: 2, row: 1, columns: 6, rows: 1),
    CellRect(column: 2, row: 2, columns: 2, rows: 2),
    CellRect(column: 6, row: 2, columns: 2, rows: 2),
    CellRect(column: 2, row: 4, columns: 6, rows: 1),
  ]

  @Test(arguments: [
    (PictureRepair.cells, [], [dialog]), (.rows, around, [rect]), (.part, [], [rect]),
    (.image, around, [rect]), (.nothing, around, [rect]),
  ])
  func `a dialog that opens and closes draws what its terminal lost`(
    _ repair: PictureRepair, _ opening: [CellRect], _ closing: [CellRect]
  ) {
    let canvas = canvas(Plain(Self.rect.size, repair))
    var covered = canvas
    covered.clear(Self.dialog)
    #expect(Set(drawn(covered, after: canvas)) == Set(opening))
    #expect(drawn(covered, after: covered).isEmpty)
    #expect(drawn(canvas, after: covered) == closing)
  }
}
