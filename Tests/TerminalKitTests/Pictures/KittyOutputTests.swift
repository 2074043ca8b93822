import Glibc
import Testing

@testable import PictureCodecs
@testable import TerminalKit

@Suite struct KittyOutputTests {
  static let cell = PixelSize(width: 10, height: 20)
  static let size = CellSize(columns: 8, rows: 4)
  /// As many pixels as 8x4 cells of 10x20 have.
  static let bitmap = Bitmap.gradient(80, 80)

  enum Kind: CaseIterable {
    case placement, placeholders, repeatedPlaceholders
  }

  func output(_ kind: Kind, _ images: KittyImages, readsFiles: Bool = false) -> any PictureOutput {
    switch kind {
    case .placement: KittyOutput(.placements, images: images, readsFiles: readsFiles)
    case .placeholders:
      KittyOutput(
        .placeholders(repeatsCharacters: false), images: images, readsFiles: readsFiles)
    case .repeatedPlaceholders:
      KittyOutput(
        .placeholders(repeatsCharacters: true), images: images, readsFiles: readsFiles)
    }
  }

  func prepare(
    _ output: any PictureOutput, _ bitmap: Bitmap = Self.bitmap, cell: PixelSize = Self.cell
  ) -> any PreparedPicture {
    output.prepare(bitmap, encoded: nil, filling: Self.size, cell: cell)
  }

  /// For where there are many pictures.
  static let tinyCell = PixelSize(width: 1, height: 1)

  /// Checks that a part of the picture is where it should be, and nothing else.
  func expect(
    _ part: CellRect, at point: CellPoint, on terminal: KittyModel, as kind: Kind,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(terminal.surprises == [], sourceLocation: sourceLocation)
    if kind == .placement {
      let placement = try #require(
        terminal.placements.values.first, sourceLocation: sourceLocation)
      #expect(terminal.placements.count == 1, sourceLocation: sourceLocation)
      #expect(placement.point == point, sourceLocation: sourceLocation)
      #expect(placement.cells == part.size, sourceLocation: sourceLocation)
      #expect(placement.source == part.pixels(cell: Self.cell), sourceLocation: sourceLocation)
    } else {
      let id = try #require(terminal.images.keys.first, sourceLocation: sourceLocation)
      #expect(terminal.virtual[id] == Self.size, sourceLocation: sourceLocation)
      var expected: [CellPoint: KittyModel.Placeholder] = [:]
      for row in part.rowRange {
        for column in part.columnRange {
          let place = CellPoint(
            column: point.column + column - part.column, row: point.row + row - part.row)
          expected[place] = .init(image: id, row: row, column: column)
        }
      }
      #expect(terminal.cells == expected, sourceLocation: sourceLocation)
    }
  }

  /// Konsole 22.12 ignores greater ones.
  @Test(arguments: [0, 1, 126, 127, 128, 200, 254, 255, 4_194_304, pid_t.max])
  func `ids are below 2^31, whatever the process id`(_ process: pid_t) throws {
    let images = KittyImages(route: .direct, process: process)
    var ids: [UInt32] = []
    while let (holding, _) = images.hold(nil) { ids.append(holding.id) }
    #expect(ids.count == 240)
    #expect(ids.allSatisfy { $0 >= 1 << 24 && $0 < 1 << 31 }, "\(ids.max() ?? 0)")
  }

  @Test(arguments: Kind.allCases, [false, true])
  func `the terminal gets the picture's pixels and shows them where they belong`(
    _ kind: Kind, _ throughFile: Bool
  ) throws {
    // Large enough to be worth a file.
    let bitmap = Bitmap.gradient(800, 80)
    let output = output(kind, KittyImages(route: .direct), readsFiles: throughFile)
    let picture = output.prepare(
      bitmap, encoded: nil, filling: Self.size, cell: PixelSize(width: 100, height: 20))
    var bytes: [UInt8] = []
    let point = CellPoint(column: 3, row: 2)
    picture.draw(picture.whole, at: point, into: &bytes)
    var terminal = KittyModel()
    terminal.read(bytes)
    #expect(terminal.surprises == [])
    #expect(terminal.images.values.map(\.pixels) == [bitmap.pixels])
    #expect(terminal.images.values.map(\.size) == [bitmap.size])
    #expect((bytes.count < 2_000) == throughFile)
  }

  @Test(arguments: Kind.allCases)
  func `a part of a picture is shown as that part`(_ kind: Kind) throws {
    let output = output(kind, KittyImages(route: .direct))
    let picture = prepare(output)
    let part = CellRect(column: 2, row: 1, columns: 5, rows: 2)
    let point = CellPoint(column: 30, row: 7)
    var terminal = KittyModel()
    var bytes: [UInt8] = []
    picture.draw(part, at: point, into: &bytes)
    terminal.read(bytes)
    try expect(part, at: point, on: terminal, as: kind)
    var erasing: [UInt8] = []
    picture.erase(part, at: point, into: &erasing)
    terminal.read(erasing)
    #expect(terminal.placements.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `translucent pixels stay translucent`(_ kind: Kind) {
    let bitmap = Bitmap.gradient(80, 80, alpha: 100)
    let picture = prepare(output(kind, KittyImages(route: .direct)), bitmap)
    var terminal = KittyModel()
    var bytes: [UInt8] = []
    picture.draw(picture.whole, at: CellPoint(column: 0, row: 0), into: &bytes)
    terminal.read(bytes)
    #expect(terminal.images.values.first?.pixels[3] == 100)
  }

  @Test(arguments: Kind.allCases)
  func `through tmux everything is wrapped, and is the same`(_ kind: Kind) throws {
    let direct = prepare(output(kind, KittyImages(route: .direct, process: 7)))
    let wrapped = prepare(output(kind, KittyImages(route: .tmux, process: 7)))
    let point = CellPoint(column: 1, row: 1)
    var bytes: [UInt8] = []
    wrapped.draw(wrapped.whole, at: point, into: &bytes)
    var terminal = KittyModel()
    terminal.read(try #require(KittyModel.unwrapped(bytes)))
    try expect(wrapped.whole, at: point, on: terminal, as: kind)
    var other = KittyModel()
    bytes = []
    direct.draw(direct.whole, at: point, into: &bytes)
    #expect(KittyModel.unwrapped(bytes) == nil)
    other.read(bytes)
    #expect(other.images == terminal.images)
    #expect(other.cells == terminal.cells)
  }

  @Test(arguments: [Kind.placement, .repeatedPlaceholders])
  func `a picture is shown again in less than 10 KB`(_ kind: Kind) {
    let output = output(kind, KittyImages(route: .direct))
    let picture = output.prepare(
      .gradient(640, 640), encoded: nil, filling: CellSize(columns: 80, rows: 40),
      cell: PixelSize(width: 8, height: 16))
    var bytes: [UInt8] = []
    picture.draw(picture.whole, at: CellPoint(column: 0, row: 0), into: &bytes)
    #expect(bytes.count > 1_000_000)
    bytes = []
    picture.draw(picture.whole, at: CellPoint(column: 9, row: 9), into: &bytes)
    #expect(bytes.count < 10_000)
  }

  @Test(arguments: Kind.allCases)
  func `a picture hidden for a while can be shown once others are released`(_ kind: Kind)
    throws
  {
    let output = output(kind, KittyImages(route: .direct))
    let point = CellPoint(column: 0, row: 0)
    let kept = prepare(output)
    var other: (any PreparedPicture)? = prepare(output)
    var bytes: [UInt8] = []
    kept.draw(kept.whole, at: point, into: &bytes)
    kept.erase(kept.whole, at: point, into: &bytes)
    other?.draw(kept.whole, at: point, into: &bytes)
    other?.erase(kept.whole, at: point, into: &bytes)
    other = nil
    output.beginFrame(into: &bytes)
    kept.draw(kept.whole, at: point, into: &bytes)
    var terminal = KittyModel()
    terminal.read(bytes)
    #expect(terminal.surprises == [])
    #expect(terminal.placements.count == (kind == .placement ? 1 : 0))
    #expect(terminal.transmissions == 2)
  }

  @Test(arguments: Kind.allCases)
  func `a released picture leaves its id to the next one`(_ kind: Kind) {
    let images = KittyImages(route: .direct)
    let output = output(kind, images)
    var terminal = KittyModel()
    // More than there are ids.
    for _ in 0..<300 {
      var picture: (any PreparedPicture)? = prepare(output, cell: Self.tinyCell)
      var bytes: [UInt8] = []
      output.beginFrame(into: &bytes)
      picture?.draw(CellRect(Self.size), at: CellPoint(column: 0, row: 0), into: &bytes)
      terminal.read(bytes)
      #expect(terminal.images.count == 1)
      picture = nil
    }
    var bytes: [UInt8] = []
    output.beginFrame(into: &bytes)
    terminal.read(bytes)
    // A placement's image stays until its id is used again.
    #expect(terminal.images.count == (kind == .placement ? 1 : 0))
    #expect(terminal.placements.isEmpty)
    #expect(terminal.surprises == [])
  }

  @Test(arguments: Kind.allCases)
  func `an image that the terminal lost is sent again`(_ kind: Kind) throws {
    let output = output(kind, KittyImages(route: .direct))
    let picture = prepare(output)
    let point = CellPoint(column: 0, row: 0)
    var bytes: [UInt8] = []
    picture.draw(picture.whole, at: point, into: &bytes)
    output.imagesWereLost()
    bytes = []
    picture.erase(picture.whole, at: point, into: &bytes)
    #expect(bytes.isEmpty)
    picture.draw(picture.whole, at: point, into: &bytes)
    var terminal = KittyModel()
    terminal.read(bytes)
    #expect(terminal.transmissions == 1)
    try expect(picture.whole, at: point, on: terminal, as: kind)
  }

  @Test(arguments: Kind.allCases, [KittyCommand.Route.direct, .tmux])
  func `the cleanup frees every image, and fits the guard`(
    _ kind: Kind, _ route: KittyCommand.Route
  ) throws {
    let output = output(kind, KittyImages(route: route))
    var terminal = KittyModel()
    var pictures: [any PreparedPicture] = []
    var bytes: [UInt8] = []
    for _ in 0..<260 {
      let picture = prepare(output, .gradient(1, 1), cell: Self.tinyCell)
      picture.draw(picture.whole, at: CellPoint(column: 0, row: 0), into: &bytes)
      pictures.append(picture)
    }
    terminal.read(route == .tmux ? try #require(KittyModel.unwrapped(bytes)) : bytes)
    #expect(terminal.images.count == 240)
    let cleanup = Array(output.cleanup.utf8)
    #expect(cleanup.count + TerminalModes.restore.utf8.count <= 16_384)
    terminal.read(route == .tmux ? try #require(KittyModel.unwrapped(cleanup)) : cleanup)
    #expect(terminal.images.isEmpty)
  }

  @Test func `two Pandas in one tmux have different ids`() {
    let ids = [pid_t(100), 101].map { process -> UInt32? in
      let images = KittyImages(route: .tmux, process: process)
      return images.hold(nil)?.holding.id
    }
    #expect(ids[0] != ids[1])
  }

  @Test func `any part of an enlarged picture is shown without resending its pixels`() throws {
    var terminal = KittyModel()
    let output = self.output(.repeatedPlaceholders, KittyImages(route: .direct))
    let picture = try #require(output.magnifiable(Self.bitmap))
    let point = CellPoint(column: 3, row: 2)
    var bytes: [UInt8] = []
    let first = picture.part(
      PixelRect(x: 0, y: 0, size: PixelSize(width: 80, height: 80)), filling: Self.size)
    first.draw(CellRect(Self.size), at: point, into: &bytes)
    terminal.read(bytes)
    let region = PixelRect(x: 20, y: 10, size: PixelSize(width: 40, height: 20))
    let second = picture.part(region, filling: Self.size)
    bytes = []
    first.erase(CellRect(Self.size), at: point, into: &bytes)
    second.draw(CellRect(Self.size), at: point, into: &bytes)
    #expect(bytes.count < 200)
    terminal.read(bytes)
    #expect(terminal.surprises == [])
    #expect(terminal.images.count == 1 && terminal.placements.count == 1)
    let placement = try #require(terminal.placements.values.first)
    #expect(placement.source == region && placement.cells == Self.size)
    // Under a dialog only a part is visible.
    bytes = []
    second.erase(CellRect(Self.size), at: point, into: &bytes)
    let right = CellRect(column: 4, row: 0, columns: 4, rows: 4)
    second.draw(right, at: CellPoint(column: 7, row: 2), into: &bytes)
    terminal.read(bytes)
    #expect(
      terminal.placements.values.first?.source
        == PixelRect(x: 40, y: 10, size: PixelSize(width: 20, height: 20)))
    #expect(output.magnifiable(Self.bitmap) != nil)
    #expect(
      KittyOutput(.placements, images: KittyImages(route: .tmux), readsFiles: false)
        .magnifiable(Self.bitmap) == nil)
  }
}

@Suite struct RowColumnDiacriticsTests {
  @Test func `the characters are those of the protocol's rule`() {
    // Those of class 230 that compose with a letter, or are compositions, are left out.
    let excluded: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F,
      0x311, 0x313, 0x314, 0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
    ]
    let expected = (UInt32(0x300)...0x1D300).compactMap(Unicode.Scalar.init).filter { scalar in
      let properties = scalar.properties
      guard let age = properties.age, (age.major, age.minor) <= (6, 0) else { return false }
      return properties.canonicalCombiningClass.rawValue == 230
        && properties.generalCategory == .nonspacingMark && !excluded.contains(scalar.value)
    }
    #expect(expected.count == 297)
    #expect(RowColumnDiacritics.all == expected)
    // As the protocol's own description names them.
    #expect(RowColumnDiacritics[0] == "\u{305}")
    #expect(RowColumnDiacritics[1] == "\u{30D}")
    #expect(RowColumnDiacritics[2] == "\u{30E}")
  }
}
