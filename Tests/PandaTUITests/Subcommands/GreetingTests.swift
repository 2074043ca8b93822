import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import Pantry
@testable import TerminalKit

@MainActor
@Suite struct GreetingTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  /// Greets on a day from today on, in the favorites' directory or another one.
  private func greet(
    day: Int = 0, in data: String = "data", _ configuration: Configuration = Configuration()
  ) async throws -> String {
    let path = directory.path("greeting")
    let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let session = panda.session(
      Options(dataDirectory: directory.path(data)), configuration: configuration,
      output: Output(data: descriptor, words: descriptor),
      now: { Date() + Double(day) * 86_400 })
    // A busy machine may take longer than a shell waits.
    await GreetingCommand(session: session, size: nil, patience: .seconds(240)).run()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  private func today() async throws -> [String: JSONMember] {
    let result = try await panda.run("today", "--json", "--data-dir", directory.path("data"))
    return try #require(try CommandDriver.objects(result).first)
  }

  @Test func `the first request of a day chooses its favorite, which others read`() async throws {
    try await panda.save(5)
    let first = try await greet()
    #expect(first.hasPrefix("5 favorite red pandas. Today: Panda "))
    // Whatever comes later, `panda today` and greetings show the same one.
    try await panda.save(20, source: SmallSource(first: 101))
    #expect(try await greet() == first.replacing("5 favorite", with: "25 favorite"))
    let image = try await today()
    guard case .text(let address)? = image["address"] else { throw TestFailure("\(image)") }
    // One that is gone makes room.
    _ = try await panda.run("remove", PictureID(address: address).digits)
    #expect(try await greet().hasPrefix("24 favorite red pandas. Today: "))
    #expect(try await today()["address"] != .text(address))
  }

  @Test func `a month of choices is remembered, and as many of a wrong clock`() async throws {
    try await panda.save(3)
    for day in 0...62 { #expect(try await !greet(day: day).isEmpty) }
    let folder = directory.url.appending(path: "state/values.json.d")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 1, "\(names)")
    let text = try String(
      contentsOf: folder.appending(path: try #require(names.first)), encoding: .utf8)
    #expect(text.matches(of: /"\d{4}-\d\d-\d\d"/).count == 62, "\(text)")
  }

  @Test func `a greeting counts once a day, after its output, or not at all`() async throws {
    try await panda.save(1)
    for day in [0, 0, 1] { _ = try await greet(day: day) }
    func sighting() async throws -> Sighting? {
      let library = panda.library()
      try await library.sightings.haveLoaded()
      return library.sightings["https://zoo.example/1"]
    }
    #expect(try await sighting()?.count == 2)
    // Locked by another program, it greets nevertheless.
    var other: Database? = try Database(path: directory.path("data/favorites.sqlite"))
    try other?.execute("BEGIN IMMEDIATE")
    #expect(try await !greet(day: 2).isEmpty)
    try other?.execute("ROLLBACK")
    other = nil
    #expect(try await sighting()?.count == 2)
  }

  @Test func `where it cannot answer it says nothing, and changes nothing`() async throws {
    #expect(try await greet(in: "none").isEmpty)
    #expect(!FileManager.default.fileExists(atPath: directory.path("none")))
    let server = Configuration(library: try LibraryChoice(argument: "postgresql://x/y"))
    try await panda.save(1)
    let file = directory.url.appending(path: "data/favorites.sqlite")
    #expect(try await greet(server).isEmpty)
    // Another program keeps the file to itself.
    var other: Database? = try Database(path: file.path)
    try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    #expect(try await greet().isEmpty)
    other = nil
    #expect(try await !greet().isEmpty)
    let damaged = Data("no database at all, but something else, of some length".utf8)
    try damaged.write(to: file)
    #expect(try await greet().isEmpty)
    #expect(try Data(contentsOf: file) == damaged)
  }

  @Test func `terminals are known by what they answered where they are named`() {
    func environment(_ more: [String: String]) -> TerminalEnvironment {
      TerminalEnvironment(["TERM": "xterm-256color"].merging(more) { $1 })
    }
    func path(_ known: KnownTerminals, _ environment: TerminalEnvironment) -> PictureMethod {
      PictureChoice(for: known.profile(of: environment, isUnicode: true)).path
    }
    var known = KnownTerminals()
    let wezTerm = environment(["TERM_PROGRAM": "WezTerm", "COLORTERM": "truecolor"])
    #expect(path(known, environment(["TERM": "xterm-kitty"])) == .kittyPlacement)
    #expect(path(known, environment(["TERM": "xterm-kitty", "SSH_TTY": "1"])) == .kittyPlacement)
    for multiplexer in ["TMUX", "STY", "ZELLIJ"] {
      let inside = environment(["TERM": "xterm-kitty", multiplexer: "1", "COLORTERM": "truecolor"])
      // GNU screen is not asked for its version here, so that COLORTERM does not count.
      let colors = multiplexer == "STY" ? ColorDepth.mono : .direct
      #expect(path(known, inside) == .symbols(.quadrants, colors: colors))
    }
    // An xterm that was started from WezTerm has its variables, and answers in its own name.
    var profile = TerminalProfile(environment: wezTerm, isUnicode: true)
    profile.answers.attributes = [4]
    profile.answers.version = TerminalVersion(answer: "XTerm(379)")
    known.record(profile)
    #expect(known == KnownTerminals())
    profile.answers.version = TerminalVersion(answer: "WezTerm 20240203-110809-5046fc22")
    known.record(profile)
    #expect(path(known, wezTerm) == .iterm2)
    #expect(path(known, environment([:])) == .symbols(.quadrants, colors: .mono))
    let xterm = environment(["TERM": "xterm", "XTERM_VERSION": "XTerm(379)"])
    #expect(path(known, xterm) == .symbols(.quadrants, colors: .direct))
  }
}
