import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import Pantry
@testable import TerminalKit

/// The grid of favorites on the whole screen.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct GridTests {
  let directory = TemporaryDirectory()

  @Test func `without pictures, a bar tells the selected line, and not its color alone`()
    async throws
  {
    let app = try AppDriver(directory, showsPictures: false)
    try await app.favorite(3)
    try app.press(.view(.nextPane))
    try await app.expect("a bar on the selected line") { shown in
      ["1/3", "2/3"].map { place in
        shown.canvas.rows.first { $0.map(\.text).joined().contains(place) }?
          .first { $0.text == "★" }?.ink
      } == [.selected, .secondary]
    }
  }

  @Test func `the grid shows all favorites, moves the selection, and returns to the card`()
    async throws
  {
    let app = try AppDriver(directory)
    try await app.favorite(5)
    try app.press(.view(.grid))
    try await app.expect(text: "1/5")
    try await app.expectThumbnails(5)
    #expect(!app.display.text.contains("Red Panda "), "the card makes way")
    // All five are seen, larger than in the smallest grid that has them.
    #expect(Set(app.display.canvas.placements.map(\.rect.row)).count == 2)
    try app.press(.move(.right))
    try await app.expect(text: "2/5")
    try await app.expect("a frame with its corners at the selected one") { shown in
      guard let rect = shown.canvas.placements.dropFirst().first?.rect else { return false }
      let rows = shown.canvas.rows
      let (left, right, below) = (
        rect.column - 1, rect.columnRange.upperBound, rect.rowRange.upperBound
      )
      return rows[rect.row][left].text == "┃" && rows[rect.row][right].text == "┃"
        && rows[rect.row - 1][left].text == "┏" && rows[rect.row - 1][right].text == "┓"
        && rows[below][left].text == "┗" && rows[below][right].text == "┛"
    }
    try app.press(.move(.last))
    try await app.expect(text: "5/5")
    try app.press(.favorites(.show))
    try await app.expect(text: "Favorites (5)")
    try await app.expect(text: "Red Panda")
    try app.press(.view(.grid), .program(.cancel))
    try await app.expect(text: "Red Panda")
    try await app.quit()
  }

  @Test func `the pictures of the grid get larger and smaller, and that is remembered`()
    async throws
  {
    let app = try AppDriver(directory)
    try await app.favorite(3)
    try app.press(.view(.smaller))
    try await app.expect(text: "Only the grid has sizes")
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try await app.expectThumbnails(3)
    let before = try #require(app.display.canvas.placements.first).rect.columns
    try app.press(.view(.larger), .view(.larger))
    try await app.expect("larger pictures") {
      ($0.canvas.placements.first?.rect.columns ?? 0) > before
    }
    let large = app.app.context.favorites.gridSize
    for _ in 0..<12 { try app.press(.view(.smaller)) }
    try await app.expect(text: ViewCommands.noOtherSize(isLarger: false))
    try app.press(.view(.larger))
    #expect(app.app.context.favorites.gridSize.step == 1 && large.step == 6)
    try await app.quit()
    let again = try AppDriver(directory)
    try await again.expect(favorites: 3)
    try again.press(.view(.grid))
    try await again.expect(text: "1/3")
    #expect(again.app.context.favorites.gridSize.step == 1)
    try await again.quit()
  }

  @Test func `the wheel with ctrl makes the pictures of the grid larger and smaller`() async throws
  {
    let app = try AppDriver(directory)
    try await app.favorite(3)
    try app.press(.view(.grid))
    try await app.expectThumbnails(3)
    let before = app.app.context.favorites.gridSize.step
    func wheel(_ direction: MouseEvent.Direction) {
      app.app.handle([
        .mouse(MouseEvent(.scroll(direction), column: 40, row: 8, modifiers: .control))
      ])
    }
    wheel(.up)
    // The three are enlarged already, as long as all stay in view.
    #expect(app.app.context.favorites.gridSize.step == 5)
    wheel(.down)
    #expect(app.app.context.favorites.gridSize.step == before)
    wheel(.down)
    #expect(app.app.context.favorites.gridSize.step == 3)
    #expect(app.app.context.favorites.selected?.title == "Panda 3" && !app.app.context.zoom.isOpen)
    try await app.quit()
  }

  @Test func `one month is not named, and the mouse selects`() async throws {
    let app = try AppDriver(directory)
    try await app.favorite(3)
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try await app.expectThumbnails(3)
    try await app.expect("no month in the title, since there is one") {
      $0.lines[0].contains("Favorites (3) ─")
    }
    let last = try #require(app.display.canvas.placements.last).rect
    app.click(column: last.column + 1, row: last.row + 1)
    try await app.expect(text: "3/3")
    // A name is clicked as well as its picture.
    let first = try #require(app.display.canvas.placements.first).rect
    app.click(column: first.column, row: first.rowRange.upperBound)
    try await app.expect(text: "1/3")
    app.clock.advance(by: ClickCounter.patience * 2)
    app.doubleClick(column: last.column + 1, row: last.row + 1)
    try await app.expect(text: "Red Panda")
    try await app.quit()
  }

  @Test func `sources head the favorites that are sorted by source`() async throws {
    try await ManyFavorites.save(5, in: directory, from: ["b.example", "a.example"])
    let app = try AppDriver(directory)
    try await app.expect(favorites: 5)
    try app.press(.favorites(.sort))
    try await app.expect(text: "oldest first")
    try app.press(.favorites(.sort), .view(.grid), .move(.first))
    try await app.expect(text: "by source")
    try await app.expect(text: "1/5")
    try await app.expectAllThumbnails()
    let lines = app.display.lines
    #expect(lines[0].contains("by source · a.example (2) ─"))
    let second = try #require(lines.firstIndex { $0.contains("b.example ──") })
    #expect(lines.count { $0.contains("example ──") } == 1 && !app.display.text.contains("2026"))
    // Two of the one source, newest first, and three of the other, which begin a row of their own.
    let rects = app.app.context.carousel.shown.places.map(\.rect)
    #expect(rects.map(\.row) == [2, 2, second + 2, second + 2, second + 2])
    #expect(rects[0].column == rects[2].column)
    #expect(app.app.context.favorites.list.map(\.title) == [4, 2, 5, 3, 1].map { "Panda \($0)" })
    try app.press(.move(.right), .move(.down))
    try await app.expect(text: "4/5")
    try app.press(.move(.up))
    try await app.expect(text: "2/5")
    // The other orders but time have no sections.
    try app.press(.favorites(.sort))
    try await app.expect(text: "by caption")
    try await app.expect(noText: "example ──")
    try await app.expect(noText: "a.example (")
    try await app.quit()
  }

  @Test func `a click with ctrl marks and unmarks, and one with shift marks a range`()
    async throws
  {
    try await ManyFavorites.save(5, in: directory)
    let app = try AppDriver(directory)
    try await app.expect(favorites: 5)
    func click(_ number: Int, with modifiers: KeyModifiers) {
      let rect = app.app.context.carousel.shown.places[number - 1].rect
      app.click(column: rect.column + 1, row: rect.row + 1, with: modifiers)
    }
    func marked() -> [Int] {
      let list = app.app.context.favorites.list
      return list.indices.filter { app.app.context.favorites.marks.contains(list[$0].id) }.map {
        $0 + 1
      }
    }
    try app.press(.view(.grid))
    try await app.expect(text: "1/5")
    try await app.expectThumbnails(5)
    click(3, with: .control)
    try await app.expect(text: "1 marked")
    try await app.expect(text: "3/5")
    // Again at once: that is no double click.
    click(3, with: .control)
    try await app.expect(noText: "marked")
    #expect(app.app.context.model.showsGrid)
    click(2, with: .control)
    click(4, with: .shift)
    #expect(marked() == [2, 3, 4])
    click(5, with: .control)
    // In xterm, ctrl opens a menu.
    click(3, with: .alt)
    #expect(marked() == [2, 4, 5])
    try app.press(.program(.cancel))
    #expect(marked() == [])
    // Without a mark a range begins at the selected one.
    click(1, with: [])
    click(2, with: .shift)
    #expect(marked() == [1, 2])
    try app.press(.program(.cancel), .program(.cancel))
    try await app.expect(text: "Red Panda")
    try await app.expectThumbnails(5)
    try app.press(.view(.nextPane))
    #expect(app.app.context.pane == .card)
    click(2, with: .control)
    try await app.expect(text: "1 marked")
    #expect(app.app.context.pane == .carousel && marked() == [2])
    try await app.quit()
  }

  @Test func `marks are toggled, made in ranges and for all, counted, and ended by Esc`()
    async throws
  {
    let app = try AppDriver(directory)
    try await app.favorite(6)
    try app.press(.favorites(.mark))
    try await app.expect(text: "Only favorites can be marked")
    try app.press(.view(.grid))
    try await app.expect(text: "1/6")
    try app.press(.favorites(.mark), .favorites(.mark))
    try await app.expect(text: "2 marked")
    // Names are seen at a glance, where a tick is small.
    let names = app.app.context.carousel.shown.places.map {
      ($0.rect.rowRange.upperBound - 1, $0.rect.columnRange)
    }
    try await app.expect("names of marked, marked, selected and other pictures") { shown in
      names.prefix(4).map { row, columns in
        shown.canvas.rows[row][columns].first { $0.text == "P" }?.ink
      } == [.star, .star, .accent, .secondary]
    }
    try app.press(.move(.right), .favorites(.markRange))
    try await app.expect(text: "4 marked")
    try app.press(.favorites(.markAll))
    try await app.expect(text: "6 marked")
    try app.press(.program(.cancel))
    try await app.expect(noText: "marked")
    app.type("3m")
    try await app.expect(text: "3 marked")
    try app.press(.move(.first))
    app.type("2m")
    try await app.expect(text: "5 marked")
    try app.press(.program(.cancel), .program(.cancel))
    try await app.expect(text: "Red Panda")
    try await app.quit()
  }

  @Test func `up to four are shown whole, and all in the middle`() async throws {
    try await ManyFavorites.save(3, in: directory)
    let app = try AppDriver(directory, columns: 80, rows: 40)
    try await app.expect(favorites: 3)
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try await app.expectThumbnails(3)
    let area = try #require(app.app.context.layout.carousel)
    let rects = app.display.canvas.placements.map(\.rect)
    for row in Set(rects.map(\.row)) {
      let columns = rects.filter { $0.row == row }.map(\.columnRange)
      let left = try #require(columns.map(\.lowerBound).min()) - area.columnRange.lowerBound
      let right = area.columnRange.upperBound - (columns.map(\.upperBound).max() ?? 0)
      #expect(abs(left - right) <= 3, "\(columns)")
    }
    #expect(Set(rects.map(\.row)).count == 2, "one is alone in the middle")
    try await app.quit()
  }

  @Test func `a terminal of any size shows the grid or says why not`() async throws {
    let app = try AppDriver(directory)
    try await app.favorite(2)
    try app.press(.view(.grid))
    for (columns, rows) in [(1, 1), (12, 3), (20, 8), (40, 12), (200, 60), (300, 5), (5, 80)] {
      app.resize(columns: columns, rows: rows)
      try await app.expect("a frame of \(columns)x\(rows)") {
        $0.canvas.size == CellSize(columns: columns, rows: rows)
      }
      try app.press(.move(.down), .move(.up), .view(.larger), .view(.smaller))
    }
    try await app.quit()
  }
}

/// What is done to all that are marked.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct MarkedTests {
  let directory = TemporaryDirectory()

  @Test func `marked favorites are removed in one step, and restored in one`() async throws {
    let app = try AppDriver(directory)
    try await app.favorite(4)
    try app.press(.view(.grid))
    try await app.expect(text: "1/4")
    app.type("3m")
    try await app.expect(text: "3 marked")
    try app.press(.favorites(.remove))
    try await app.expect(favorites: 1)
    try await app.expect(text: Sentence.done(.removed(count: 3), NoNames()))
    try app.press(.favorites(.undo))
    try await app.expect(favorites: 4)
    try app.press(.favorites(.redo))
    try await app.expect(favorites: 1)
    try app.press(.favorites(.trash))
    try await app.expect(text: "Trash (3)")
    try await app.open(.favorites(.clear), "Only favorites can be cleared")
    try app.press(.favorites(.markAll))
    // An export is not for favorites alone.
    try await app.open(.picture(.save), "Export 3 pandas")
    app.press(key: .control("u"))
    app.enter(directory.path("trash.html"))
    try await app.expect(text: "Exported 3 to")
    try app.press(.favorites(.favorite))
    try await app.expect(text: Sentence.done(.restored(count: 3)))
    try await app.quit()
  }

  @Test func `marked favorites get tags, a caption and a page in one go`() async throws {
    let app = try AppDriver(directory)
    try await app.favorite(3)
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try app.press(.favorites(.markAll))
    try await app.open(.favorites(.tags), "Tags for 3 pandas")
    app.enter("sleepy")
    try await app.expect(
      text: Sentence.done(.tagged(count: 3, full: 0, isRemoval: false), NoNames()))
    try await app.open(.favorites(.caption), "Caption for 3 pandas")
    app.enter("Friends")
    try await app.expect(
      text: Sentence.done(.captioned("Friends", count: 3, isCut: false), NoNames()))
    #expect(
      app.app.context.favorites.list.allSatisfy { $0.caption == "Friends" && $0.tags == ["sleepy"] }
    )
    try await app.open(.picture(.save), "Export 3 pandas")
    app.press(key: .control("u"))
    app.enter(directory.path("page.html"))
    try await app.expect(text: "Exported 3 to")
    let page = try String(contentsOfFile: directory.path("page.html"), encoding: .utf8)
    #expect(page.contains("Friends"))
    // In the order in which they were kept: an import adds them one after another.
    try await app.open(.picture(.save), "Export 3 pandas")
    app.press(key: .control("u"))
    app.enter(directory.path("exported"))
    try await app.expect(text: "Exported 3 to \(directory.path("exported"))")
    let copy = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "copy")))
    _ = try await copy.importFavorites(from: directory.path("exported")) { _ in }
    let favorites = Store<RemoteImage>.images(
      in: StorageDirectory(url: directory.url.appending(path: "copy")))
    try await favorites.itemsHaveLoaded()
    #expect(favorites.items.map(\.id) == app.app.context.favorites.controller.images.map(\.id))
    try app.press(.favorites(.undo), .favorites(.undo))
    try await app.expect(text: "Undone: tags of 3 pandas")
    try app.press(.favorites(.redo), .favorites(.redo))
    try await app.expect(text: "Redone: captions of 3 pandas")
    try await app.open(.favorites(.caption), "Caption for 3 pandas")
    app.enter("")
    try await app.expect(text: "No caption was changed")
    #expect(app.app.context.favorites.list.allSatisfy { $0.caption == "Friends" })
    try await app.open(.favorites(.caption), "Caption for 3 pandas")
    app.enter("-")
    try await app.expect(text: Sentence.done(.captioned("", count: 3, isCut: false), NoNames()))
    // What the others have already is no change.
    try app.press(.program(.cancel))
    try await app.open(.favorites(.tags), FavoritesCommands.tagsNote)
    app.enter(" snow")
    try await app.expect(text: Sentence.tagged)
    try app.press(.favorites(.markAll))
    try await app.open(.favorites(.tags), "Tags for 3 pandas")
    app.enter("-snow")
    try await app.expect(text: Sentence.tagged)
    try await app.quit()
  }

  @Test func `commands act on an enlarged picture alone, whatever is marked behind it`()
    async throws
  {
    let app = try AppDriver(directory)
    try await app.favorite(4)
    try app.press(.view(.grid))
    try await app.expect(text: "1/4")
    app.type("2m")
    try await app.expect(text: "2 marked")
    let selected = try #require(app.app.context.favorites.selected)
    try app.press(.view(.zoom))
    try await app.expect(text: "%")
    try await app.open(.favorites(.caption), "Caption for \(selected.name)")
    try app.press(.program(.cancel))
    try await app.open(.favorites(.mark), "Marks are for the favorites behind it")
    #expect(app.app.context.favorites.marked.count == 2 && app.app.context.zoom.isOpen)
    try app.press(.favorites(.remove))
    try await app.expect(favorites: 3)
    #expect(app.app.context.favorites.controller.isSaved(selected) == false)
    try await app.quit()
  }

  @Test func `marks outlive a removal that fails`() async throws {
    // Kept, so that the program has its patience.
    let file = SQLiteFile.named(
      "favorites.sqlite", in: StorageDirectory(url: directory.url.appending(path: "data")),
      patience: 500)
    defer { withExtendedLifetime(file) {} }
    let app = try AppDriver(directory)
    try await app.favorite(3)
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try app.press(.favorites(.mark), .favorites(.mark))
    try await app.expect(text: "2 marked")
    let other = try Database(path: directory.path("data/favorites.sqlite"), access: .writing)
    try other.execute("BEGIN IMMEDIATE")
    try app.press(.favorites(.remove))
    try await app.expect(text: "Not removed")
    try await app.expect(text: "2 marked")
    try other.execute("ROLLBACK")
    try app.press(.favorites(.remove))
    try await app.expect(favorites: 1)
    try await eventually("no marks") { app.app.context.favorites.marks.isEmpty }
    try await app.quit()
  }

  @Test func `exporting marked favorites overwrites no file`() async throws {
    let app = try AppDriver(directory)
    try await app.favorite(3)
    let controller = app.app.context.favorites.controller
    let target = try ExportTarget(path: directory.path("all"))
    let before = try await controller.library.export(to: target, replacing: false)
    #expect(before.count == 3)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path("all"))
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try app.press(.favorites(.mark))
    try await app.open(.picture(.save), "Export 1 panda")
    app.press(key: .control("u"))
    app.enter(directory.path("all"))
    try await app.expect(text: "exists")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("all")).sorted()
        == files.sorted())
    try app.press(.program(.cancel))
    try await app.quit()
  }
}
