import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import Grove

/// The program in one pane of tmux, whose other pane has the keyboard.
@Suite(.timeLimit(.minutes(15))) struct OtherPaneTests {
  private let directory = TemporaryDirectory()
  private var socket: String { directory.path("socket") }
  private var path: String { "PATH=\(directory.path("bin")):/usr/bin:/bin" }

  /// What may be asked of a terminal, and what kitty answers.
  private static let questions: KeyValuePairs = [
    "\u{1B}[>q": "\u{1B}P>|kitty(0.41.1)\u{1B}\\", "\u{1B}[c": "\u{1B}[?62;c",
    "\u{1B}[>c": "\u{1B}[>1;4000;41c", "\u{1B}[16t": "\u{1B}[6;16;8t",
    "\u{1B}[14t": "\u{1B}[4;480;800t", "\u{1B}[6n": "\u{1B}[1;1R", "\u{1B}[?u": "\u{1B}[?0u",
    "\u{1B}]4;3;?": "\u{1B}]4;3;rgb:ffff/ffff/0000\u{1B}\\", "$p": "\u{1B}[?2026;2$y",
    "\u{1B}]10;?": "\u{1B}]10;rgb:ffff/ffff/ffff\u{1B}\\",
    "\u{1B}]11;?": "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "a=q,": "\u{1B}_Gi=31;OK\u{1B}\\",
    "\u{1B}[?2;1;0S": "\u{1B}[?2;3;0S",
  ]

  /// Opens a terminal with a tmux client in it.
  private func open(_ command: [String], columns: Int = 120, rows: Int = 40) throws
    -> PseudoTerminal
  {
    try PseudoTerminal(
      "/usr/bin/tmux", ["-S", socket, "-f", "/dev/null", "-u"] + command,
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", path,
        "PANDA_ANSWER_SECONDS=60", "HOME=\(directory.path("home"))",
      ], columns: columns, rows: rows, answers: Self.questions)
  }

  @discardableResult
  private func tmux(_ command: [String]) throws -> String {
    let result = try Subprocess.run(
      ["tmux", "-S", socket, "-u"] + command, environment: [path])
    guard result.status == 0 else { throw TestFailure("\(command): \(result.output)") }
    return result.output
  }

  private func screen(of pane: String) throws -> String {
    try tmux(["capture-pane", "-p", "-t", pane]).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func eventually(_ what: String, pane: String, _ holds: (String) -> Bool) async throws {
    try await PandaTestSupport.eventually(what, seen: { (try? screen(of: pane)) ?? "" }) {
      holds(try screen(of: pane))
    }
  }

  /// Waits until tmux knows so many terminals: it reads their answers in its own time.
  private func expectTerminals(_ count: Int, _ last: PseudoTerminal) async throws {
    try await PandaTestSupport.eventually(
      "\(count) terminals", deadline: .seconds(60), seen: { last.readableOutput }
    ) {
      // There is no server yet at first.
      let names = try? tmux(["list-clients", "-F", "#{client_termtype}"])
      return names?.ranges(of: "kitty(0.41.1)").count == count
    }
  }

  /// Makes a picture and a command to type: Panda's, or `cat` in its place.
  private func prepare(_ program: String) throws {
    for name in ["bin", "home"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    try BambooGrove.drawing(seed: 11, size: PixelSize(width: 64, height: 48)).pngData()
      .write(to: directory.url.appending(path: "picture.png"))
    _ = try directory.writeScript(
      "bin/panda",
      program == "cat"
        ? "case $1 in --source) exec cat ;; *) exec cat </dev/null ;; esac"
        : "exec '\(program)' \"$@\"")
  }

  /// Starts a command in a pane of its own, which is not the active one.
  @discardableResult
  private func start(_ command: String) throws -> String {
    try tmux([
      "split-window", "-d", "-f", "-l", "20", "-c", directory.url.path, "-P", "-F", "#{pane_id}",
      "panda \(command) tmux wait-for -S done",
    ]).trimmingCharacters(in: .newlines)
  }

  /// Lets twenty things happen; returns the number of questions to both terminals, each by its own.
  private func happen(to program: String) async throws -> [[Int]] {
    try prepare(program)
    let isPanda = program != "cat"
    let outer = try open([
      "start-server", ";", "set-option", "-g", "allow-passthrough", "on", ";", "set-option", "-g",
      "focus-events", "on", ";", "set-option", "-g", "default-terminal", "tmux-256color", ";",
      "set-option", "-g", "status", "off", ";", "new-session", "env", "PS1=shell> ", "bash",
      "--norc", "--noprofile",
    ])
    // It is gone already unless the test has failed.
    defer { _ = try? tmux(["kill-server"]) }
    try await expectTerminals(1, outer)
    try tmux(["split-window", "-h", "cat", "-v"])
    let (ours, other) = ("%0", "%1")
    /// Waits until all that has happened was handled.
    func settle() async throws {
      guard isPanda else { return }
      try tmux(["send-keys", "-t", ours, "?"])
      try await eventually("the help", pane: ours) { $0.contains("type to filter") }
      try tmux(["send-keys", "-t", ours, "Escape"])
      try await eventually("no help", pane: ours) { !$0.contains("type to filter") }
    }
    try tmux(["send-keys", "-t", ours, "panda --source grove", "Enter"])
    if isPanda { try await eventually("the screen", pane: ours) { $0.contains("Favorites") } }

    for event in [
      ["resize-pane", "-t", other, "-x", "40"], ["split-window", "-d", "-t", ours, "cat"],
      ["kill-pane", "-t", "%2"], ["select-pane", "-t", ours], ["select-pane", "-t", other],
      ["resize-pane", "-Z", "-t", other], ["resize-pane", "-Z", "-t", other],
      ["resize-pane", "-Z", "-t", ours], ["select-pane", "-t", other], ["new-window", "cat"],
      ["kill-window"], ["swap-pane", "-s", ours, "-t", other], ["next-layout"],
      ["send-keys", "-t", ours, "C-l"],
    ] {
      try tmux(event)
      try await settle()
    }
    try outer.resize(columns: 100, rows: 30)
    try await settle()
    try tmux(["select-pane", "-t", other])
    let second = try open(["attach"], columns: 90, rows: 28)
    try await expectTerminals(2, second)
    try await settle()
    try second.write("\u{2}d")
    _ = try await second.waitForExit()
    try await settle()
    try tmux(["send-keys", "-t", ours, "C-z"])
    try await eventually("the shell", pane: ours) { $0.contains("Stopped") }
    try tmux(["send-keys", "-t", ours, "fg", "Enter"])
    try await settle()
    #expect(try screen(of: other) == "")
    for command in [
      "show picture.png", "doctor", "fetch --source grove --show", "today --greeting",
      "doctor | cat",
    ] {
      try start("\(command) &&")
      try tmux(["wait-for", "done"])
    }
    let choice = try start("pick .;")
    if isPanda {
      try await eventually("the choice", pane: choice) { $0.contains("picture.png") }
      try tmux(["send-keys", "-t", choice, "q"])
    }
    try tmux(["wait-for", "done"])
    try await settle()
    try tmux(["send-keys", "-t", ours, isPanda ? "q" : "C-d"])
    try await eventually("the shell", pane: ours) { $0.hasSuffix("shell>") }

    // What was typed before comes before it.
    #expect(try tmux(["display", "-p", "#{pane_id}"]) == "\(other)\n")
    try outer.write("end")
    try await eventually("the end", pane: other) { $0.hasSuffix("end") }
    #expect(try screen(of: other) == "end")
    #expect(!isPanda || outer.count(of: "\u{1B}_Ga=T,U=1") > 0)
    return [outer, second].map { terminal in
      Self.questions.map { terminal.count(of: $0.key) }
    }
  }

  @Test
  func `fault 99: nothing is typed into the other pane of tmux, and its terminal is not asked`()
    async throws
  {
    let usual = try await happen(to: "cat")
    #expect(try await happen(to: BuildProducts.path(of: "panda")) == usual)
  }
}
