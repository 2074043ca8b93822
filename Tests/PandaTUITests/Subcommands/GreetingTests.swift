import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaTUI
@testable import TerminalKit

@MainActor
@Suite struct GreetingTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  private var file: URL { directory.url.appending(path: "state/greeting.json") }

  private func run(_ arguments: String...) async throws -> CommandDriver.Result {
    try await panda.run(arguments + ["--data-dir", directory.path("data")])
  }

  @Test func `preparing chooses a week, and keeps to its choice`() async throws {
    try await panda.save(5)
    let prepared = try await run("today", "--prepare")
    #expect(prepared.status == .done && prepared.text.isEmpty && prepared.words.isEmpty)
    let record = try #require(GreetingRecord(file: file))
    #expect(record.days.count == 7 && record.count == 5 && record.problem == nil)
    #expect(Set(record.days.map(\.day)).count == 7)
    // `panda today` shows the same one, whatever comes.
    try await panda.save(20, source: SmallSource(first: 101))
    let today = try CommandDriver.objects(try await run("today", "--json")).first
    #expect(today?["address"] == .text(record.days[0].address))
    _ = try await run("today", "--prepare")
    let later = try #require(GreetingRecord(file: file))
    #expect(later.days == record.days && later.count == 25 && later.stamp != record.stamp)
  }

  @Test func `a favorite that is removed makes room in the greetings`() async throws {
    try await panda.save(2)
    _ = try await run("today", "--prepare")
    let first = try #require(GreetingRecord(file: file)?.days.first)
    _ = try await panda.run("remove", PictureID(address: first.address).digits)
    _ = try await run("today", "--prepare")
    let record = try #require(GreetingRecord(file: file))
    #expect(record.count == 1 && !record.days.map(\.address).contains(first.address))
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
    known.note(profile)
    #expect(known == KnownTerminals())
    profile.answers.version = TerminalVersion(answer: "WezTerm 20240203-110809-5046fc22")
    known.note(profile)
    #expect(path(known, wezTerm) == .iterm2)
    #expect(path(known, environment([:])) == .symbols(.quadrants, colors: .mono))
    let xterm = environment(["TERM": "xterm", "XTERM_VERSION": "XTerm(379)"])
    #expect(path(known, xterm) == .symbols(.quadrants, colors: .direct))
  }
}
