import Foundation
import Glibc
import PandaTestSupport
import PictureCodecs
import Testing

@testable import Grove

/// `panda pick` in a real terminal, with pipes on both sides.
@Suite(.timeLimit(.minutes(15))) struct PickTests {
  private let directory = TemporaryDirectory()

  private var environment: [String] {
    [
      "PATH=\(directory.path("bin")):/usr/bin:/bin", "HOME=\(directory.url.path)",
      "LC_ALL=C.UTF-8", "COLORTERM=truecolor", "XDG_DATA_HOME=\(directory.path("data"))",
      "XDG_STATE_HOME=\(directory.path("state"))", "XDG_CACHE_HOME=\(directory.path("cache"))",
      "XDG_CONFIG_HOME=\(directory.path("config"))",
    ]
  }

  private static let names = ["one.png", "three.png", "two words.png"]

  /// Installs the program, and makes pictures in ~/Pictures.
  private func prepare() throws {
    for folder in ["bin", "Pictures", "chosen"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("bin/panda"), withDestinationPath: BuildProducts.path(of: "panda"))
    for (seed, name) in Self.names.enumerated() {
      try picture(seed).write(to: directory.url.appending(path: "Pictures/\(name)"))
    }
  }

  private func picture(_ seed: Int) throws -> Data {
    try BambooGrove.drawing(seed: UInt64(seed), size: PixelSize(width: 64, height: 48)).pngData()
  }

  /// Starts a script in a terminal.
  private func start(_ script: String) throws -> Tmux {
    try Tmux(
      "/bin/bash", ["-c", "cd || exit; \(script)"], environment: environment, columns: 100, rows: 30
    )
  }

  private func file(_ name: String) throws -> String {
    try String(contentsOf: directory.url.appending(path: name), encoding: .utf8)
  }

  @Test func `choosing nothing exits with 1, and a failure to start with its own status`()
    async throws
  {
    try prepare()
    let terminal = try start("panda pick Pictures >out; echo $? >status")
    try await terminal.expect(text: "choose")
    try terminal.type("q")
    _ = try await terminal.waitForExit()
    #expect(try file("out").isEmpty)
    #expect(try file("status") == "1\n")
    for (line, status) in [
      ("setsid -w panda pick ~/Pictures", 2 as Int32), ("TERM=dumb panda pick ~/Pictures", 2),
      ("panda pick ~/none/", 5), ("panda pick ~/chosen", 1), ("panda pick in:none", 5),
      ("panda pick is:none", 2),
    ] {
      let result = try Subprocess.run(
        ["bash", "-c", line], environment: environment + ["TERM=xterm"])
      #expect(result.status == status && result.output.hasPrefix("panda: "), "\(result.output)")
    }
  }

  @Test func `marked files are piped as bytes, and unreadable ones are counted`()
    async throws
  {
    try prepare()
    let folder = directory.path("Pictures")
    try Data("no picture".utf8).write(to: URL(filePath: folder + "/broken.jpg"))
    try Data("notes".utf8).write(to: URL(filePath: folder + "/notes.txt"))
    // Two lines, and a byte that is no UTF-8.
    let name = Array("\(folder)/z\nz".utf8) + [0xE9] + Array(".png".utf8)
    let descriptor = (name + [0]).withUnsafeBytes {
      open($0.bindMemory(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    }
    let bytes = try picture(9)
    #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
    close(descriptor)
    let terminal = try start(
      "panda pick -0 ~/Pictures </dev/null 2>words | cat >out; echo \"${PIPESTATUS[0]}\" >status")
    try await terminal.expect(text: "1 file could not be read")
    try terminal.type("*")
    try await terminal.expect(text: "choose 4")
    // All but the third, although a filter hides them then.
    try terminal.type("/two")
    try await terminal.expect(text: "1 found")
    try terminal.type("\r ")
    try await terminal.expect(text: "choose 3")
    try terminal.type("\r")
    _ = try await terminal.waitForExit()
    let out = try Data(contentsOf: directory.url.appending(path: "out"))
    let paths = ["one.png", "three.png"].map { Array("\(folder)/\($0)".utf8) } + [name]
    #expect(try file("status") == "0\n")
    // A folder needs no library.
    #expect(!FileManager.default.fileExists(atPath: directory.path("data/panda")))
    #expect(Array(out) == paths.flatMap { $0 + [0] })
    #expect(try file("words") == "panda: 1 file could not be read.\n")
  }

  @Test func `fault 109: a chosen name is cleaned on a terminal, and two lines need -0`()
    async throws
  {
    try prepare()
    for name in ["b\u{1B}]0;PWN\u{7}\u{1B}[2J.png", "two\nlines.png"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: "odd"), withIntermediateDirectories: true)
      try picture(1).write(to: directory.url.appending(path: "odd/\(name)"))
    }
    /// Runs pick on a terminal, and returns what comes after the screen.
    func pick(_ keys: String) async throws -> String {
      let terminal = try PseudoTerminal(
        "/bin/bash", ["-c", "cd && panda pick odd; echo status $?"],
        environment: environment + ["TERM=xterm-256color"], columns: 100, rows: 30)
      try await terminal.waitForOutput(containing: "choose")
      try terminal.write(keys)
      try await terminal.waitForOutput(containing: "status ")
      let output = String(decoding: terminal.output, as: UTF8.self)
      return output.components(separatedBy: "\u{1B}[?1049l").last ?? ""
    }
    #expect(try await pick("\r") == "odd/b]0;PWN[2J.png\r\nstatus 0\r\n")
    let refused = try await pick("*\r")
    #expect(
      refused == "panda: odd/two lines.png has a line break in its name; list and pick print it "
        + "with -0.\r\nstatus 2\r\n")
  }

  @Test func `the mouse selects, and a double click chooses`() async throws {
    try prepare()
    let terminal = try start("panda pick -1 Pictures >out")
    let screen = try await terminal.expect(text: " three ")
    // The name of the second of three, which is clicked as its picture is.
    let row = try #require(screen.lines.firstIndex { $0.contains(" three ") })
    let column = try #require(screen.lines[row].range(of: "three ")).lowerBound
    let place = screen.lines[row].distance(from: screen.lines[row].startIndex, to: column)
    let cell = "\(place + 2);\(row + 1)"
    let click = "\u{1B}[<0;\(cell)M\u{1B}[<0;\(cell)m"
    try terminal.type(click)
    try await terminal.expect(text: "2/3")
    try terminal.type(click + click)
    _ = try await terminal.waitForExit()
    #expect(try file("out") == "Pictures/three.png\n")
  }

  // MARK: The page about scripts

  /// The uses on the page, in its order: what to press, and what is there then.
  private static let uses: [(marks: Int?, file: String, content: String)] = [
    (nil, "log", "gsettings set org.gnome.desktop.background picture-uri file://~/one.png"),
    (3, "log", "gimp \(all)"),
    (3, "chosen", "3"),
    (3, "log", "rsync --from0 --files-from=- / camera.example:chosen/ \(all)"),
    (3, "log", "montage \(all) -geometry 320x240+8+8 sheet.png"),
    (3, "chosen.txt", "~/one.png\n~/three.png\n~/two words.png\n"),
    (3, "list", "3"), (1, "tar", "1"), (1, "tags", "1"), (nil, "caption", "1"),
  ]

  private static let all = "~/one.png ~/three.png ~/two words.png"

  @Test(arguments: 0..<10)
  func `each use of the page does what it says`(_ number: Int) async throws {
    try prepare()
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/Scripting.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## Choosing by eye").last)
      .components(separatedBy: "\n## ")[0]
    let blocks = section.components(separatedBy: "```sh\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count == Self.uses.count)
    let use = Self.uses[number]
    // There is no desktop here.
    for program in ["gsettings", "gimp", "rsync", "montage"] {
      let told = "printf '%s' \(program); printf ' %s' \"$@\""
      try standIn(program, "{ \(told); [ -t 0 ] || { printf ' '; tr '\\0' ' '; }; } >~/log")
    }
    try standIn("fzf", "head -n 1")
    let isOfFavorites = number > 6
    if isOfFavorites {
      let adding = try Subprocess.run(
        ["bash", "-c", "cd; panda add Pictures/one.png; panda caption $(panda list --ids) snow"],
        environment: environment)
      #expect(adding.status == 0, "\(adding.output)")
    }
    let terminal = try start(blocks[number])
    try await terminal.expect(text: "choose")
    if let marks = use.marks {
      try terminal.type("*")
      try await terminal.expect(text: "choose \(marks)")
    }
    try terminal.type("\r")
    _ = try await terminal.waitForExit()
    #expect(try outcome(of: use.file).hasPrefix(use.content))
  }

  /// Puts a script in the place of a program.
  private func standIn(_ program: String, _ script: String) throws {
    let file = directory.path("bin/\(program)")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
    chmod(file, 0o755)
  }

  /// Reads what a use has left, with ~ for the folder of the pictures.
  private func outcome(of name: String) throws -> String {
    let script =
      switch name {
      case "chosen": "ls chosen | grep -c png"
      case "list": "panda list --ids | wc -l"
      case "tar": "tar -tzf snow.tar.gz | grep -c png"
      case "tags": "panda list --ids '#card' | wc -l"
      case "caption": "panda list --ids Asleep again | wc -l"
      default: "cat \(name)"
      }
    return try Subprocess.run(["bash", "-c", "cd; \(script)"], environment: environment).output
      .replacing(directory.path("Pictures"), with: "~")
  }
}
