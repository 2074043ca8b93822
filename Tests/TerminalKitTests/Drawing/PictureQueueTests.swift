import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// What is sent of pictures while frames replace each other.
@Suite struct PictureQueueTests {
  /// A picture of two rows, each of which is a piece.
  final class NamedPicture: PreparedPicture, @unchecked Sendable {
    let size = CellSize(columns: 4, rows: 2)
    let repair: PictureRepair
    let name: String
    var cuts = 0

    init(_ name: String, repair: PictureRepair = .nothing) {
      self.name = name
      self.repair = repair
    }

    func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
      for row in part.rowRange { bytes += "\u{1B}[1;1H\(name)\(row)".utf8 }
    }

    func transmit(into bytes: inout [UInt8]) {
      for _ in 0..<2 { bytes += "\u{1B}[1;1H+\(name)".utf8 }
    }

    func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
      bytes += "-\(name)".utf8
    }

    func wasCut() { cuts += 1 }
    var printed: [UInt8] { [] }
  }

  var queue = PictureQueue()
  var former = Canvas(size: CellSize(columns: 40, rows: 10))

  /// Shows a frame with these pictures side by side, and a text in the last row.
  mutating func show(_ pictures: [NamedPicture], text: String = "") -> Bool {
    var canvas = Canvas(size: former.size)
    for (index, picture) in pictures.enumerated() {
      let rect = CellRect(column: index * 5, row: 1, columns: 4, rows: 2)
      canvas.place(picture, in: rect, clip: CellRect(canvas.size))
    }
    canvas.draw(text, at: CellPoint(column: 0, row: 9))
    defer { former = canvas }
    return queue.show(canvas.pictureParts, ScreenDamage(from: former, to: canvas))
  }

  /// Shows a frame, which cuts a picture off or does not.
  mutating func expectShown(
    _ pictures: [NamedPicture], text: String = "", cuts: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isCut = show(pictures, text: text)
    #expect(isCut == cuts, sourceLocation: sourceLocation)
  }

  mutating func expectNext(
    _ expected: String?, atMost count: Int = 100, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let piece = next(atMost: count)
    #expect(piece == expected, sourceLocation: sourceLocation)
  }

  /// Takes the next piece, without the movement of the cursor.
  mutating func next(atMost count: Int = 100) -> String? {
    queue.next(nil, atMost: count).map {
      String(decoding: $0, as: UTF8.self).replacing("\u{1B}[1;1H", with: "")
    }
  }

  @Test mutating func `pictures are sent one after the other, in pieces`() {
    expectShown([NamedPicture("a"), NamedPicture("b")], cuts: false)
    var pieces: [String] = []
    while let piece = next() { pieces.append(piece) }
    #expect(pieces == ["a0", "a1", "b0", "b1"])
    #expect(queue.isEmpty && queue.isAtBoundary)
  }

  @Test mutating func `a picture that stays goes on, however often frames change`() {
    let picture = NamedPicture("a")
    _ = show([picture])
    expectNext("a0")
    for number in 0..<10 { expectShown([picture], text: "spinner \(number)", cuts: false) }
    expectNext("a1")
    expectNext(nil)
    #expect(picture.cuts == 0)
  }

  @Test mutating func `a picture that is gone is cut off, and sent anew when it comes back`() {
    let (first, second) = (NamedPicture("a"), NamedPicture("b"))
    _ = show([first])
    expectNext("a0")
    expectShown([second], cuts: true)
    #expect(first.cuts == 1)
    expectNext("b0")
    expectShown([first], cuts: true)
    expectNext("a0")
    expectNext("a1")
    // A part of it may be on the screen.
    expectNext("-b")
    expectNext(nil)
  }

  /// The order of bytes: no moment is without a picture, and the text comes in between.
  @Test(arguments: [KittyOutput.Method.placements, .placeholders(repeatsCharacters: false)])
  func `in kitty a picture is transmitted, then placed, and then the old one goes`(
    _ method: KittyOutput.Method
  ) throws {
    let output = KittyOutput(method, images: KittyImages(route: .direct), readsFiles: false)
    let cell = PixelSize(width: 10, height: 20)
    var (queue, former) = (PictureQueue(), Canvas(size: CellSize(columns: 40, rows: 10)))
    var terminal = KittyModel()
    var isShown: Bool { !terminal.placements.isEmpty || !terminal.cells.isEmpty }
    for (number, width) in [80, 60, 80].enumerated() {
      let size = CellSize(columns: width / 10, rows: 4)
      let picture = output.prepare(
        .gradient(width, 80), encoded: nil, filling: size, cell: cell)
      var canvas = Canvas(size: former.size)
      canvas.place(
        picture, in: CellRect(column: number, row: 1, columns: size.columns, rows: 4),
        clip: CellRect(canvas.size))
      let before = terminal.placements
      queue.transmit(picture)
      while let piece = queue.next(output, atMost: 100_000) { terminal.read(Array(piece)) }
      #expect(terminal.transmissions == number + 1 && terminal.placements == before)
      _ = queue.show(canvas.pictureParts, ScreenDamage(from: former, to: canvas))
      while let piece = queue.next(output, atMost: 100_000) {
        terminal.read(Array(piece))
        #expect(number == 0 || isShown)
      }
      #expect(terminal.transmissions == number + 1 && terminal.placements.count <= 1)
      former = canvas
    }
    #expect(isShown && terminal.surprises == [])
  }

  @Test mutating func `a picture for later goes on beside frames, and is given again when lost`() {
    let (shown, ahead, next) = (NamedPicture("a"), NamedPicture("b"), NamedPicture("c"))
    var names: [String?] { queue.transmitted.map { ($0 as? NamedPicture)?.name } }
    queue.transmit(ahead)
    expectNext("+b")
    expectShown([shown], text: "words", cuts: false)
    queue.transmit(next)
    #expect(names == ["b", "c"])
    expectNext("+b")
    #expect(names == ["c"])
    let isCut = queue.forget()
    #expect(!isCut && names == ["c"])
    expectNext("+c")
    expectNext("+c")
    expectNext(nil)
    #expect(ahead.cuts == 0 && next.cuts == 0)
  }

  /// Its words would end an update before its place is in it.
  @Test mutating func `a picture for later that is sent leaves nothing before its frame`() {
    let (shown, ahead) = (NamedPicture("a"), NamedPicture("b"))
    expectShown([shown], cuts: false)
    while next() != nil {}
    queue.transmit(ahead)
    expectNext("+b")
    expectShown([shown], text: "words", cuts: false)
    expectNext("+b")
    #expect(queue.isEmpty)
  }

  @Test mutating func `a picture that has not begun is dropped without a trace`() {
    let (first, second) = (NamedPicture("a"), NamedPicture("b"))
    _ = show([first, second])
    expectNext("a0")
    expectShown([first], cuts: false)
    expectNext("a1")
    expectNext(nil)
    #expect(second.cuts == 0)
  }

  @Test mutating func `a long piece is sent in slices, between which nothing may come`() {
    let picture = NamedPicture("panda")
    _ = show([picture])
    expectNext("pand", atMost: 10)
    #expect(!queue.isAtBoundary)
    #expect(queue.isNeeded(by: queue.parts) && !queue.isNeeded(by: []))
    expectNext("a0", atMost: 10)
    #expect(queue.isAtBoundary)
  }

  @Test mutating func `text over a picture that is being sent has it sent once more`() {
    let picture = NamedPicture("a", repair: .part)
    _ = show([picture])
    expectNext("a0")
    var canvas = former
    canvas.draw("over", at: CellPoint(column: 0, row: 1))
    let under = former
    // A text that comes and goes, in two frames of which the first is not drawn.
    _ = queue.show(under.pictureParts, ScreenDamage(from: canvas, to: under))
    _ = queue.show(under.pictureParts, ScreenDamage(from: canvas, to: under))
    var pieces: [String] = []
    while let piece = next() { pieces.append(piece) }
    #expect(pieces == ["a1", "a0", "a1"])
  }

  @Test mutating func `a terminal that has lost its pictures gets all of them`() {
    let picture = NamedPicture("a")
    _ = show([picture])
    expectNext("a0")
    let isCut = queue.forget()
    #expect(isCut)
    #expect(queue.isEmpty && picture.cuts == 1)
    expectShown([picture], cuts: false)
    expectNext("a0")
  }
}
