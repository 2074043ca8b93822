import Foundation
import PandaCore
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// The grid as `panda pick` has it.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct PickingTests {
  private let directory = TemporaryDirectory()

  /// Saves pictures, and shows them for choosing.
  private func pick(
    takesOne: Bool = false, filter: String = "", shows count: Int = 3
  ) async throws -> (app: AppDriver, picking: Picking) {
    let panda = CommandDriver(directory)
    try await panda.save(3)
    let last = try #require(try await panda.run("list", "--ids").lines.last)
    _ = try await panda.run("caption", last, "Asleep")
    let picking = Picking(takesOne: takesOne, folder: nil, filter: filter)
    let app = try AppDriver(directory, picking: picking)
    try await app.expectThumbnails(count)
    let controller = app.app.context.favorites.controller
    try await eventually("all are read") { controller.imagesHaveLoaded }
    return (app, picking)
  }

  @Test func `marked pictures are chosen, also those that a filter hides`() async throws {
    let (app, picking) = try await pick()
    try app.press(.favorites(.favorite))
    try await app.expect(text: "choose 1")
    try app.press(.favorites(.filter))
    app.enter("asleep")
    try await app.expect(text: "1/1")
    try app.press(.favorites(.favorite))
    try await app.expect(text: "choose 2")
    try app.press(.favorites(.show))
    await app.end()
    #expect(picking.chosen?.map(\.name) == ["Panda 3", "Asleep"])
  }

  @Test func `Esc chooses nothing, whatever is marked and filtered`() async throws {
    let (app, picking) = try await pick()
    try app.press(.favorites(.markAll))
    try await app.expect(text: "choose 3")
    try app.press(.favorites(.filter))
    app.enter("asleep")
    try await app.expect(text: "1/1")
    try app.press(.program(.cancel))
    await app.end()
    #expect(picking.chosen == nil)
  }

  @Test func `the filter of the command is all that there is`() async throws {
    let (app, picking) = try await pick(filter: "asleep", shows: 1)
    try await app.expect(text: "Favorites (1)")
    try app.press(.favorites(.filter))
    app.type("panda 3")
    try await app.expect(text: "0 found")
    app.press(key: .escape)
    try await app.expectThumbnails(1)
    try app.press(.favorites(.markAll), .favorites(.show))
    await app.end()
    #expect(picking.chosen?.map(\.name) == ["Asleep"])
  }

  @Test func `a filter that nothing matches ends with its status`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(1)
    let picking = Picking(takesOne: false, folder: nil, filter: "snow")
    let app = try AppDriver(directory, picking: picking)
    await app.end()
    #expect((picking.failure as? CommandFailure)?.status == .notFound)
  }

  @Test func `files that are named are chosen by the names that were typed`() async throws {
    for name in ["b.png", "a.png"] {
      try SmallSource.png(1).write(to: directory.url.appending(path: name))
    }
    let paths = [directory.path("b.png"), directory.path("a.png"), directory.path("b.png")]
    let picking = Picking(
      takesOne: false, folder: (try FolderPictures(of: paths), "Files"), filter: "")
    let app = try AppDriver(directory, picking: picking)
    try await app.expectThumbnails(2)
    try app.press(.favorites(.markAll), .favorites(.show))
    await app.end()
    let chosen = try #require(picking.chosen).compactMap { picking.folder?.pictures.path(of: $0) }
    #expect(chosen.map { String(decoding: $0, as: UTF8.self) } == Array(paths.prefix(2)))
    #expect(throws: FileError.self) { try FolderPictures(of: [directory.path("missing.png")]) }
  }

  @Test func `what changes favorites does nothing here, and the help does not list it`()
    async throws
  {
    let (app, _) = try await pick()
    for key in ["x", "c", "t", "f", "C", "u", "X", "F", "T"] {
      app.press(key: .character(Character(key)))
      #expect(app.app.context.model.dialog == nil && !app.app.context.zoom.isOpen, "\(key)")
    }
    try app.press(.favorites(.filter))
    app.press(key: .down)
    #expect(app.app.context.favorites.state.selectedIndex == 1)
    app.press(key: .escape)
    try app.press(.program(.help))
    let help = try await app.expect(text: "Choose nothing")
    #expect(!help.contains("caption") && help.contains("Choose the marked"))
    #expect(app.app.context.favorites.controller.images.count == 3)
    await app.hangUp()
  }

  @Test func `one picture takes no marks, and a double click chooses it`() async throws {
    let (app, picking) = try await pick(takesOne: true)
    try app.press(.favorites(.favorite))
    try await app.expect(text: "Only one picture can be chosen")
    let second = try #require(app.display.canvas.placements.dropFirst().first?.rect)
    app.click(column: second.column, row: second.row, with: .control)
    try await app.expect(text: "Only one picture can be chosen")
    app.doubleClick(column: second.column, row: second.row)
    await app.end()
    #expect(picking.chosen?.map(\.name) == ["Panda 2"])
  }
}
