import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import timeline

/// One post, three screens: whatever happens, they agree.
@MainActor
@Suite struct TimelineScreenTests {
  private let directory = TemporaryDirectory()
  private let server: TimelineServer

  init() throws { server = try TimelineServer() }

  private func app(isPersisted: Bool = true, port: Int? = nil) async throws -> TimelineApp {
    let model = try await TimelineModel(
      directory: isPersisted ? StorageDirectory(url: directory.url) : nil,
      client: TimelineClient(port: port ?? server.port))
    let app = TimelineApp(model: model, server: server)
    app.start()
    await app.lastTask?.value
    return app
  }

  /// The lines of the screen that are not empty, without the keys' at the bottom.
  private func shown(_ app: TimelineApp) -> [String] {
    app.lines(width: 72, height: 14).dropLast().filter { !$0.isEmpty }
  }

  /// Presses keys, and waits for the action of the last one.
  private func press(_ app: TimelineApp, _ keys: Key...) async {
    for key in keys { app.press(key) }
    await app.lastTask?.value
  }

  private static let timeline = [
    "Timeline",
    "> [ 7] Mei: Bamboo again. I am not complaining.",
    "  [ 12] Tian: Slept in a tree. Woke up in another.",
    "  [ 31] Mei: Snow! My fur was made for this.",
    "  [ 2] Ruo: Who hid my apple?",
    "  [ 4] Tian: Hello, forest.",
  ]

  private static let post = [
    "Post", "Bamboo again. I am not complaining.", "by Mei", "[ 7]",
  ]

  private static let profile = [
    "Profile", "Mei", "Climbs, eats, repeats.",
    "> [ 7] Mei: Bamboo again. I am not complaining.",
    "  [ 31] Mei: Snow! My fur was made for this.",
  ]

  /// Shows the first post on the three screens, and returns to the timeline.
  private func screens(_ app: TimelineApp) async -> [[String]] {
    var screens = [shown(app)]
    await press(app, .enter)
    screens.append(shown(app))
    await press(app, .character("p"))
    screens.append(shown(app))
    await press(app, .character("q"), .character("q"))
    return screens
  }

  private static func expected(_ change: (String) -> String) -> [[String]] {
    [timeline, post, profile].map { $0.map(change) }
  }

  @Test(arguments: [true, false])
  func `a favorite and a new name are on all three screens`(_ isPersisted: Bool) async throws {
    let app = try await app(isPersisted: isPersisted)
    #expect(await screens(app) == Self.expected { $0 })
    await press(app, .character("f"))
    let favorite = Self.expected { $0.replacing("[ 7]", with: "[*8]") }
    #expect(await screens(app) == favorite)
    await press(app, .character("r"), .character("M"), .character("o"), .backspace, .enter)
    let renamed = favorite.map { screen in
      screen.map { $0 == "Mei" ? "M" : $0.replacing(" Mei", with: " M") }
    }
    #expect(await screens(app) == renamed)
    // It was not only shown: the server has it, too.
    #expect(try await TimelineClient(port: server.port).post("5").favorites == 8)
    #expect(try await TimelineClient(port: server.port).author("mei").name == "M")
    await press(app, .character("f"))
    #expect(await screens(app)[1].contains("[ 7]"))
  }

  @Test func `a favorite is shown before the server answers, and rolled back if it refuses`()
    async throws
  {
    let app = try await app()
    await press(app, .character("x"))
    #expect(shown(app).last == "The server is out of order now.")
    app.press(.character("f"))
    #expect(shown(app)[1] == "> [*8] Mei: Bamboo again. I am not complaining.")
    await app.lastTask?.value
    #expect(
      shown(app) == Self.timeline + [
        "The favorite was not changed: the server is out of order."
      ])
    await press(app, .character("r"), .character("X"), .enter)
    #expect(
      shown(app) == Self.timeline + ["The name was not changed: the server is out of order."])
    await press(app, .character("g"))
    #expect(
      shown(app)
        == [Self.timeline[0], "Could not load: the server is out of order"]
        + Self.timeline.dropFirst())
    await press(app, .character("x"))
    #expect(shown(app).last == "The server works again.")
    await press(app, .character("g"))
    #expect(shown(app) == Self.timeline)
  }

  @Test func `changes of others appear after a reload, on all screens`()
    async throws
  {
    let app = try await app()
    server.change {
      $0.posts[0].favorites = 9
      $0.posts.append(Post(id: "6", author: "new", text: "I am \u{1b}[2Jnew."))
      $0.posts.remove(at: 1)
      $0.authors.append(Author(id: "new", name: "Newt", about: ""))
    }
    await press(app, .character("g"))
    #expect(
      shown(app) == [
        "Timeline", "> [ 9] Mei: Bamboo again. I am not complaining.", Self.timeline[3],
        Self.timeline[4], Self.timeline[5], "  [ 0] Newt: I am [2Jnew.",
      ])
    await press(app, .character("p"))
    #expect(shown(app)[3] == "> [ 9] Mei: Bamboo again. I am not complaining.")
    // A profile that is loaded brings the name to the timeline.
    server.change { $0.authors[0].name = "Mei Mei" }
    await press(app, .character("g"), .character("q"))
    #expect(shown(app)[1].contains("Mei Mei: Bamboo"))
  }

  @Test func `the timeline survives a relaunch, in its order, even without the server`()
    async throws
  {
    do {
      let app = try await app()
      await press(app, .character("f"))
    }
    let offline = try await app(port: closedPort())
    let lines = shown(offline)
    #expect(lines[1].hasPrefix("Could not load: no server (connect: "))
    #expect(
      [lines[0]] + lines.dropFirst(2)
        == Self.timeline.map { $0.replacing("[ 7]", with: "[*8]") })
    await press(offline, .character("f"))
    #expect(shown(offline)[2].contains("[*8]"))
    #expect(shown(offline).last?.hasPrefix("The favorite was not changed: no server") == true)
  }

  @Test func `an empty timeline says so`() async throws {
    let empty = try TimelineServer(Page(posts: [], authors: []))
    let app = try await app(port: empty.port)
    #expect(shown(app) == ["Timeline", "There is nothing here."])
    for key in [Key.enter, .character("f"), .character("p"), .character("r"), .up] {
      await press(app, key)
    }
    #expect(shown(app) == ["Timeline", "There is nothing here."])
    withExtendedLifetime(empty) {}
    let offline = try await self.app(isPersisted: false, port: closedPort())
    #expect(shown(offline).count == 2)
    #expect(shown(offline)[1].hasPrefix("Could not load: no server"))
  }

  @Test func `lines fit the window, and the selection stays in the list`() async throws {
    let app = try await app()
    #expect(app.lines(width: 10, height: 4).map(\.count).max() == 10)
    #expect(app.lines(width: 10, height: 4).count == 4)
    #expect(app.lines(width: 10, height: 1).count == 1)
    await press(app, .up, .character("j"), .down, .character("j"), .down, .down, .down)
    #expect(shown(app)[5].hasPrefix("> "))
    await press(app, .character("k"))
    #expect(shown(app)[4].hasPrefix("> "))
    await press(app, .character("q"))
    #expect(app.hasQuit)
  }
}
