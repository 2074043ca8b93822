import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// Where a picture may be interrupted.
@Suite struct PicturePiecesTests {
  static let cell = PixelSize(width: 10, height: 20)
  static let size = CellSize(columns: 20, rows: 4)

  /// The pieces of a whole picture, as text.
  func pieces(_ output: any PictureOutput) -> [String] {
    let picture = output.prepare(
      .gradient(200, 80), encoded: nil, filling: Self.size, cell: Self.cell)
    var bytes: [UInt8] = []
    picture.draw(CellRect(Self.size), at: CellPoint(column: 2, row: 5), into: &bytes)
    let pieces = PicturePieces.split(bytes)
    #expect(pieces.flatMap(\.self) == bytes)
    return pieces.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `symbols are interrupted between rows, each with its own colors`() {
    let pieces = pieces(SymbolOutput(symbols: .quadrants))
    #expect(pieces.count == Self.size.rows)
    for (row, piece) in pieces.enumerated() {
      #expect(
        piece.hasPrefix("\u{1B}[\(row + 6);3H\u{1B}[48;2;")
          || piece.hasPrefix("\u{1B}[\(row + 6);3H\u{1B}[38;2;"))
    }
  }

  @Test func `a sixel picture is one piece`() {
    let pieces = pieces(SixelOutput())
    #expect(pieces.count == 1)
    #expect(pieces[0].hasPrefix("\u{1B}[6;3H\u{1B}P"))
  }

  @Test(arguments: [KittyCommand.Route.direct, .tmux])
  func `a transfer to kitty is interrupted between its commands`(_ route: KittyCommand.Route) {
    let images = KittyImages(route: route, process: 5)
    let output = KittyOutput(
      .placeholders(repeatsCharacters: false), images: images, readsFiles: false)
    let pieces = pieces(output)
    // 48,000 bytes in base64, 4,096 of them a command; then the rows.
    let transfer = pieces.filter { $0.contains("_G") }
    #expect(transfer.count == 16)
    #expect(transfer.dropLast().allSatisfy { $0.hasSuffix("\u{1B}\\") && $0.contains("m=1") })
    #expect(pieces.count == transfer.count + Self.size.rows)
    #expect(pieces.suffix(Self.size.rows).allSatisfy { $0.contains("H\u{1B}[38;5;") })
  }

  @Test func `the end of a cut-off picture leaves nothing open in kitty`() {
    let images = KittyImages(route: .direct, process: 5)
    let output = KittyOutput(.placements, images: images, readsFiles: false)
    #expect(output.ending == "\u{1B}\\\u{1B}_Gm=0,q=2\u{1B}\\")
    let throughTmux = KittyOutput(
      .placements, images: KittyImages(route: .tmux, process: 5), readsFiles: false)
    #expect(KittyModel.unwrapped(Array(throughTmux.ending.utf8).suffix(28)) != nil)
  }
}
