import Foundation
import Glibc
import PandaTestSupport
import PictureCodecs
import Testing

@testable import Grove
@testable import PandaShell

/// Every command on a terminal that understands no control codes.
@Suite(.timeLimit(.minutes(15))) struct DumbTerminalTests {
  private let directory = TemporaryDirectory()

  /// The commands as they are typed; those that read keys come last.
  private static let commands = [
    "panda", "panda --version", "panda --help", "panda help", "panda doctor",
    "panda doctor --check",
    "panda add pictures", "panda list", "panda list --json", "panda stats",
    "panda show pictures/1.png", "panda show --graphics kitty pictures/1.png",
    "panda show --graphics sixel $(panda list --ids -n 1)", "panda show moving.gif",
    // The same without a name.
    "unset TERM", "panda fetch --source grove --show --keep", "panda today",
    "panda today --greeting",
    "panda caption $(panda list --ids -n 1) snow", "panda tag $(panda list --ids -n 1) +snow",
    "panda card $(panda list --ids -n 1) card.png",
    "panda list is:similar", "panda pick pictures", "panda slideshow",
    "panda collections keep winter snow",
    "panda collections",
    "panda export out", "panda export out.html", "panda import out", "panda backup copy.sqlite",
    "panda copy --to other", "panda remove $(panda list --ids -n 1)", "panda restore",
    "panda undo", "panda redo", "panda remove --all", "panda purge --all --yes", "panda sources",
    "panda config print", "panda completions bash", "panda manual",
    "panda --plain --source grove", "panda watch",
  ]

  private func prepare() throws {
    for folder in ["bin", "pictures"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("bin/panda"), withDestinationPath: BuildProducts.path(of: "panda"))
    for seed in 1...3 {
      try BambooGrove.drawing(seed: UInt64(seed), size: PixelSize(width: 64, height: 48)).pngData()
        .write(to: directory.url.appending(path: "pictures/\(seed).png"))
    }
    let moving = AnimatedGIF(colors: [[255, 0, 0], [0, 0, 255]], delays: [2, 2], loopCount: 1)
    try Data(moving.bytes).write(to: directory.url.appending(path: "moving.gif"))
  }

  @Test func `no command writes control codes`() async throws {
    try prepare()
    // The shell names each command before it runs it.
    let script = "cd \"$HOME\"; set -x; \(Self.commands.joined(separator: "; "))"
    let shell = try PseudoTerminal(
      "/bin/sh", ["-c", script],
      environment: [
        "PATH=\(directory.path("bin")):/usr/bin:/bin", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "HOME=\(directory.url.path)", "TERM=dumb",
      ], columns: 100, rows: 40)
    try await shell.waitForOutput(containing: "+ panda --plain")
    try shell.write("next\nfavorite\nshow\nlist\nhelp\nquit\n")
    try await shell.waitForOutput(containing: "+ panda watch")
    try await shell.waitForOutput(
      containing: " favorites\r\n", from: start(of: "panda watch", shell))
    try shell.write("\u{3}")
    _ = try await shell.waitForExit()

    let output = String(decoding: shell.output, as: UTF8.self)
    #expect(output.contains("Added 3 pictures"), "\(shell.readableOutput)")
    for line in output.components(separatedBy: "\r\n") {
      // The terminal writes a carriage return before each line's end, and Ctrl-C as ^C.
      let codes = line.unicodeScalars.filter { $0.properties.generalCategory == .control }
      #expect(codes.allSatisfy { $0 == "\t" }, "\(line.debugDescription)")
    }
    let tried = Set(Self.commands.compactMap { $0.split(separator: " ").dropFirst().first })
    for name in CommandLineTable.panda.names {
      #expect(tried.contains(name[...]), "\(name) is not tried")
    }
  }

  private func start(of command: String, _ shell: PseudoTerminal) -> Int {
    let text = String(decoding: shell.output, as: UTF8.self)
    return text.range(of: "+ \(command)").map { text[..<$0.lowerBound].utf8.count } ?? 0
  }
}
