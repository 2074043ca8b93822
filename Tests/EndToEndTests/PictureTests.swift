import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import Grove
@testable import PandaSession
@testable import PandaTUI
@testable import PictureCodecs
@testable import TerminalKit

/// Pictures as the terminal has them, compared cell by cell.
@Suite(.timeLimit(.minutes(15)))
struct PictureTests {
  let directory = TemporaryDirectory()
  let drawing = BambooGrove.drawing(seed: 11, size: PixelSize(width: 320, height: 240))

  /// The cells that symbols show a picture with.
  func expected(_ size: CellSize) async throws -> [SymbolPicture.Cell] {
    let target = PixelSize(
      width: size.columns * SymbolChooser.cell.width, height: size.rows * SymbolChooser.cell.height)
    let decoded = try await PictureDecoder().decode(drawing.pngData(), covering: target)
    let picture = SymbolOutput(symbols: .quadrants).prepare(
      decoded.bitmap, encoded: nil, filling: size, cell: SymbolChooser.cell)
    return try #require(picture as? SymbolPicture).cells
  }

  /// The place of a picture of 4:3 on a screen, in cells of 8x16 pixels.
  func place(_ columns: Int, _ rows: Int) -> CellRect {
    let area = Layout(CellSize(columns: columns, rows: rows), isFolded: true).picture
    let fitted = PixelSize(width: 4, height: 3).fitted(
      in: PixelSize(width: area.columns * 8, height: area.rows * 16))
    return area.centered(
      CellSize(columns: (fitted.width + 4) / 8, rows: (fitted.height + 8) / 16))
  }

  /// How many cells of a rectangle of the screen differ from a picture.
  func differences(
    _ screen: ScreenText, _ rect: CellRect, _ cells: [SymbolPicture.Cell]
  ) -> Int {
    var count = 0
    for row in 0..<rect.rows {
      for column in 0..<rect.columns {
        let cell = cells[row * rect.columns + column]
        let shown = screen.cells[rect.row + row][rect.column + column]
        let isRight =
          shown.text == String(cell.symbol) && shown.background == .rgb(cell.background)
          && (cell.symbol == " " || shown.foreground == .rgb(cell.foreground))
        if !isRight { count += 1 }
      }
    }
    return count
  }

  @Test func `every cell of the picture is right, after dialogs, redrawing and resizing too`()
    async throws
  {
    let server = try PandaServer(pictures: [drawing.pngData()], size: (320, 240))
    defer { server.stop() }
    let panda = try PandaDriver(
      directory, source: "\(server.endpoint)", arguments: ["--graphics", "symbols"], columns: 100,
      rows: 30)
    func expectRight(_ columns: Int, _ rows: Int, _ what: String) async throws {
      let rect = place(columns, rows)
      let cells = try await expected(rect.size)
      try await panda.tmux.expect("the whole picture \(what)") {
        $0.cells.count == rows && differences($0, rect, cells) == 0
      }
    }
    try await expectRight(100, 30, "at first")
    try panda.press(.program(.help))
    try await panda.tmux.expect(text: "Keys")
    try panda.press(.program(.cancel))
    try await expectRight(100, 30, "after the help")
    try panda.press(.program(.redraw))
    try await expectRight(100, 30, "drawn anew")
    try panda.tmux.resize(columns: 70, rows: 24)
    try await expectRight(70, 24, "in a smaller window")
    try await panda.quit()
  }

  @Test func `no line is scrolled, which would move the pictures with it`() async throws {
    let controller = await ImagesController(
      library: ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data"))),
      source: BambooGroveSource())
    for _ in 1...3 { try await controller.saveImage(image: controller.fetchImage()) }
    await controller.library.close()
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--graphics", "symbols", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 120, rows: 36)
    try await panda.waitForOutput(containing: "┗")
    // Without a picture lines may be scrolled.
    try await panda.waitForOutput(containing: "\u{1B}[48;5;")
    try panda.write("\t")
    // The frame of the selection moves by a picture: the lines look like moved ones to ncurses.
    // Before all pictures are there, they may be scrolled; after that no series of keys does it.
    try await eventually("nothing is scrolled") {
      let before = panda.output.count
      for key in ["j", "j", "k", "k"] {
        let before = panda.output.count
        try panda.write(key)
        // Not the end of an update, which may be another one's.
        try await panda.waitForOutput(containing: "┏", from: before)
      }
      let moved = String(decoding: panda.output.dropFirst(before), as: UTF8.self)
      return moved.matches(of: /\e\[[0-9;]*r|\e\[[0-9]*[STLM]|\e[DM]/).isEmpty
    }
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
  }

  @Test(arguments: ["0.41.1", "0.26.5"])
  func `kitty is left without a single image, whatever has happened`(_ version: String)
    async throws
  {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 40, rows: 16)
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write("\u{1B}P>|kitty(\(version))\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c")
    // The first image of the card: then a favorite, dialogs, other sizes, and a stop.
    let transmission = version == "0.41.1" ? "_Ga=T," : "_Ga=t,"
    try await panda.waitForOutput(containing: transmission)
    // Its words come with it, once the terminal has it.
    try await panda.waitForOutput(containing: "☆")
    try panda.write(" ")
    try await panda.waitForOutput(containing: Sentence.added)
    // Each is waited for by a word that only its frame draws, and by the end of that frame: keys
    // that come too soon after Esc are another key.
    for (keys, text) in [("?", "Keys"), ("\u{1B}", "space"), ("C", "trash?"), ("n", "space")] {
      let before = panda.output.count
      try panda.write(keys)
      try await panda.waitForOutput(containing: text, from: before)
      let word = panda.output.dropFirst(before).firstRange(of: Array(text.utf8))
      try await panda.waitForOutput(containing: "2026l", from: #require(word).upperBound)
    }
    // Fault 58: a storm of sizes leaves no image behind.
    for number in 0..<1_000 { try panda.resize(columns: 12 + number % 50, rows: 5 + number % 17) }
    for (columns, rows) in [(30, 14), (20, 6), (44, 18)] {
      let before = panda.output.count
      try panda.resize(columns: columns, rows: rows)
      try await panda.waitForOutput(containing: "2026l", from: before)
    }
    let before = panda.output.count
    try panda.write("\u{1A}")
    try await panda.waitFor("the program to stop") {
      if case .stopped = $0 { true } else { false }
    }
    try panda.resume()
    // Its images went with its screen: they are sent again.
    try await panda.waitForOutput(containing: transmission, from: before)
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))

    var held: Set<Substring> = []
    let output = String(decoding: panda.output, as: UTF8.self)
    for command in output.matches(of: /\e_G([^;\e]*)/) {
      let keys = Dictionary(
        command.1.split(separator: ",").map { ($0.prefix(1), $0.dropFirst(2)) },
        uniquingKeysWith: { $1 })
      guard let id = keys["i"] else { continue }
      switch (keys["a"], keys["d"]) {
      case ("t", _), ("T", _): held.insert(id)
      case ("d", "I"): held.remove(id)
      case ("p", _): #expect(held.contains(id), "\(command.1)")
      default: break
      }
    }
    #expect(held.isEmpty, "\(held)")
  }

  @Test func `panda show prints a picture, or says why it cannot`() async throws {
    let file = directory.url.appending(path: "panda.png")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try drawing.pngData().write(to: file)
    func show(_ arguments: [String], _ environment: [String] = []) throws -> Subprocess.Result {
      try Subprocess.run(
        [BuildProducts.path(of: "panda"), "show"] + arguments,
        environment: ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"] + environment)
    }
    let size = CellSize(columns: 40, rows: 15)
    let cells = try await expected(size)
    let shown = try show(["--size", "40x20", file.path])
    #expect(shown.status == 0)
    #expect(
      shown.output.utf8.elementsEqual(
        SymbolPicture(size: size, cells: cells).printed))
    let mono = try show(["--size", "10x10", file.path], ["NO_COLOR=1"])
    #expect(mono.status == 0 && !mono.output.contains("\u{1B}"))
    let ascii = try show(["--size", "10x10", file.path], ["LC_ALL=C"])
    #expect(ascii.status == 0 && ascii.output.utf8.allSatisfy { $0 < 128 })

    let missing = try show(["/nonexistent.png"])
    #expect(missing.status == 5)
    #expect(missing.output == "panda: /nonexistent.png: no such file or directory.\n")
    try Data("no picture".utf8).write(to: file)
    let wrong = try show([file.path])
    #expect(wrong.status == 1 && wrong.output.hasPrefix("panda: ") && wrong.output.hasSuffix("\n"))
    #expect(try show([]).status == 2)
    #expect(try show(["a", "b"]).status == 2)
    #expect(try show(["--size", "0x4", "a"]).status == 2)
  }
}

extension ScreenText.Color {
  /// The color 0xRRGGBB.
  fileprivate static func rgb(_ color: UInt32) -> Self {
    .rgb(red: Int(color >> 16), green: Int(color >> 8 & 0xFF), blue: Int(color & 0xFF))
  }
}
