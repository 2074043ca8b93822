import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import Grove
@testable import PandaSession
@testable import Pantry

/// The commands of the shell: the real program, in pipes and beside the open screen.
@Suite(.timeLimit(.minutes(15))) struct CommandTests {
  let directory = TemporaryDirectory()

  private var environment: [String] {
    [
      "PATH=\(directory.path("bin")):/usr/bin:/bin", "HOME=\(directory.url.path)",
      "LC_ALL=C.UTF-8", "XDG_DATA_HOME=\(directory.path("home"))",
      "XDG_STATE_HOME=\(directory.path("state"))", "XDG_CACHE_HOME=\(directory.path("cache"))",
      "XDG_CONFIG_HOME=\(directory.path("config"))",
    ]
  }

  /// Runs a script in which `panda` is the program.
  private func shell(_ script: String, status: Int32 = 0) throws -> String {
    let bin = directory.url.appending(path: "bin")
    if !FileManager.default.fileExists(atPath: bin.path) {
      try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: bin.appending(path: "panda").path,
        withDestinationPath: try BuildProducts.path(of: "panda"))
    }
    let result = try Subprocess.run(
      ["bash", "-c", "cd || exit; \(script)"], environment: environment)
    #expect(result.status == status, "\(script): \(result.output)")
    return result.output
  }

  private func picture(_ seed: UInt64, as name: String) throws -> String {
    let file = directory.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try BambooGrove.drawing(seed: seed, size: PixelSize(width: 64, height: 48)).pngData()
      .write(to: file)
    return file.path
  }

  @Test func `a picture is read from standard input, and identified by its content`() throws {
    let place = "--data-dir '\(directory.path("data"))'"
    let file = try picture(1, as: "snow.png")
    let id = try shell("panda add \(place) - < '\(file)' 2>&-").dropLast()
    #expect(id.wholeMatch(of: /[0-9a-f]+/) != nil)
    _ = try shell("panda show --bytes \(place) \(id) | cmp - '\(file)'")
    // A file wins over an ID.
    _ = try shell("cp '\(file)' abcdef && panda show --bytes \(place) abcdef | cmp - '\(file)'")
    #expect(try shell("panda show \(place) none.png", status: 5).contains("none.png"))
    #expect(try shell("panda show \(place) 0123abcd", status: 5).contains("There is no"))
    #expect(try shell("cat '\(file)' | panda add \(place) - 2>&1").contains("Nothing new"))
    // The same bytes are one favorite, whatever way they come.
    for same in ["'\(file)'", "'file://\(file)'"] {
      #expect(try shell("panda add \(place) \(same) 2>&1").contains("Nothing new"), "\(same)")
    }
    // What is no picture is not read to its end, which never comes.
    #expect(try shell("yes | panda add \(place) - 2>&1; echo $?").hasSuffix("\n1\n"))
    let refused = try shell("echo no picture | panda add \(place) - 2>&1; echo $?")
    #expect(refused.contains("standard input") && refused.hasSuffix("\n1\n"), "\(refused)")
    let typed = try shell("echo 'add -' | panda \(place) --source grove --plain 2>&1", status: 2)
    #expect(typed.contains("- is standard input, which has your commands here"), "\(typed)")
    #expect(try shell("panda list \(place) --ids").split(separator: "\n").count == 1)
  }

  @Test func `fault 109: names are exact in a pipe in any locale, and cleaned on a terminal`()
    async throws
  {
    let file = try picture(1, as: "snow.png")
    _ = try shell("id=$(panda add '\(file)') && panda caption $id 'Pända 레서'")
    for locale in ["-u LC_ALL", "LC_ALL=C", "LC_ALL=C.UTF-8"] {
      #expect(try shell("env \(locale) panda list | cat").contains("  Pända 레서"), "\(locale)")
    }
    // The name of a directory sets the title of the terminal, and clears it.
    let hostile = "b\u{1B}]0;PWN\u{7}\u{1B}[2J"
    let variables = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME"].map {
      "\($0)=\(directory.path(hostile))"
    }
    let commands = ["list --paths", "list --paths -0", "today --path", "config path"]
    for command in commands {
      let line = "env '\(variables[0])' '\(variables[1])' panda \(command)"
      #expect(try shell("\(line) | cat").contains("/\(hostile)/panda/"), "\(command)")
      let terminal = try PseudoTerminal(
        "/bin/sh", ["-c", line], environment: environment + ["TERM=xterm"], columns: 200, rows: 24)
      #expect(try await terminal.waitForExit() == .exited(0))
      #expect(terminal.output.allSatisfy { $0 != 0x1B && $0 != 0x07 }, "\(command)")
      #expect(terminal.readableOutput.contains("/b]0;PWN[2J/panda/"), "\(command)")
    }
    _ = try shell("panda caption $(panda list --ids) \"$(printf 'a\\033]0;PWN\\007b')\"")
    for command in ["show --graphics none $(panda list --ids)", "list"] {
      #expect(!(try shell("panda \(command)")).contains("\u{1B}"), "\(command)")
    }
    let broken = "env 'XDG_CACHE_HOME=\(directory.path("two\nlines"))' panda list --paths"
    #expect(try shell("\(broken) 2>&1", status: 2).contains("has a line break in its name"))
    #expect(try shell("\(broken) -0").contains("two\nlines/panda/"))
  }

  @Test func `a list and plain mode end quietly when their reader closes the pipe`() throws {
    for number in 1...40 { _ = try picture(UInt64(number), as: "zoo/panda \(number).png") }
    _ = try shell("panda add ~/zoo")
    let output = try shell("set -o pipefail; panda list --json | head -1")
    #expect(output.split(separator: "\n").count == 1 && output.hasPrefix("{"))
    #expect(try shell("set -o pipefail; panda list --json | true").isEmpty)
    let plain = try shell("yes details | panda --plain --source grove | head -n 3")
    #expect(plain.split(separator: "\n").count == 3)
  }

  @Test func `in a pipe no command prints an escape sequence, unless asked`() throws {
    let file = try picture(1, as: "zoo/one.png")
    for line in [
      "panda add \(file)", "panda list", "panda list --json", "panda today", "panda stats",
      "panda today --greeting", "panda fetch --source grove", "panda config print",
      "panda caption $(panda list --ids) asleep", "panda remove --all", "panda restore",
    ] {
      #expect(!(try shell(line)).contains("\u{1B}"), "\(line)")
    }
    #expect(try shell("panda today --greeting --graphics symbols").contains("\u{1B}["))
  }

  @Test(.enabled(if: Torture.isOn))
  func `fault 44: each command waits five seconds for a lock, and is busy then`() throws {
    let id = try shell("panda add \(try picture(1, as: "one.png")) 2>&-").dropLast()
    _ = try shell("panda caption \(id) awake && panda export ~/one")
    let other = try Database(
      path: directory.path("home/panda/favorites.sqlite"), access: .writing)
    try other.execute("BEGIN IMMEDIATE")
    let changes = [
      "caption \(id) asleep", "tag \(id) +snow", "remove \(id)", "remove --all", "undo",
      "add \(try picture(2, as: "two.png"))", "fetch --source grove --keep",
    ]
    // All at once, each for its five seconds.
    let script = changes.map { "(panda \($0) 2>&1 | cat; echo ${PIPESTATUS[0]}) &" }
    let output = try shell(script.joined(separator: "\n") + "\nwait")
    #expect(output.split(separator: "\n").count { $0 == "75" } == changes.count, "\(output)")
    let sentences = output.components(separatedBy: lockedMessage)
    #expect(sentences.count > changes.count, "\(output)")
    // What only reads does not wait.
    #expect(try shell("panda list --ids") == id + "\n")
    #expect(try shell("panda stats").contains("1 with a caption"))
  }

  @Test func `a command that finds no favorite in a damaged file fails`() throws {
    for command in ["list", "backup ~/backup.sqlite"] {
      _ = try shell("panda add \(try picture(1, as: "one.png"))")
      _ = try shell("head -c 40000 /dev/zero >home/panda/favorites.sqlite")
      #expect(try shell("panda \(command) 2>&1", status: 1).contains("no favorites were found"))
    }
  }

  @Test func `fault 75: commands report a backup copied over the favorites beside their log`()
    throws
  {
    let before = try picture(1, as: "before.png")
    let after = try picture(2, as: "after.png")
    let id = try shell("panda add \(before) 2>&-")
    _ = try shell("panda backup ~/backup.sqlite")
    // A reader keeps the log from being written back, so that its files can be copied as after a
    // kill.
    let reader = try Database(path: directory.path("home/panda/favorites.sqlite"), access: .writing)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM item")
    _ = try shell(
      """
      panda add \(after) && mkdir ~/killed
      cp home/panda/favorites.sqlite home/panda/favorites.sqlite-wal killed
      cat ~/backup.sqlite >killed/favorites.sqlite
      """)
    for command in ["list --ids", "tag \(id.dropLast()) +snow"] {
      _ = try shell("rm -rf copy && cp -r killed copy")
      let output = try shell("panda \(command) --data-dir ~/copy 2>&1")
      #expect(
        output.contains("Another file was copied over the favorites; 1 favorite was recovered"),
        "\(command): \(output)")
      #expect(try shell("panda list --ids --data-dir ~/copy").hasPrefix(id.dropLast()))
      #expect(try shell("ls copy | grep -c corrupt") == "2\n")
    }
  }

  @Test func `doctor checks the configuration, and sources are switched`() throws {
    try PandaDriver.configure(directory, "{ mouse: 7 }")
    let problem = Sentence.problem(in: "{ mouse: 7 }")
    #expect(try shell("panda doctor").contains(problem))
    let path = try shell("panda config path")
    #expect(path == "\(directory.path("config"))/panda/config.json5\n")
    _ = try shell("panda sources disable commons")
    #expect(try shell("panda sources").contains("switched off"))
    _ = try shell("panda sources enable commons")
    #expect(!(try shell("panda sources")).contains("switched off"))
    #expect(try shell("panda sources enable nowhere", status: 5).contains("is not a source"))
  }

  @Test func `every line of docs/Scripting.md does what it says`() throws {
    let guide = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/Scripting.md")
        .standardizedFileURL, encoding: .utf8
    ).components(separatedBy: "## Choosing by eye")[0]
    let lines = guide.split(separator: "```sh\n").dropFirst().compactMap {
      $0.split(separator: "\n```").first.map(String.init)
    }
    #expect(lines.count == 18)
    try PandaDriver.configure(directory, "{ source: \"grove\" }")
    _ = try picture(1, as: "Pictures/zoo/in_the_snow.png")
    _ = try picture(2, as: "Pictures/zoo/in_a_tree.png")
    _ = try shell("panda fetch --keep")
    // There is no desktop here, and no systemd.
    let unit = "~/.config/systemd/user/panda-wallpaper.service"
    for (name, body) in [
      ("gsettings", "echo \"$4\""), ("swaymsg", "readlink \"$4\""), ("feh", "readlink \"$2\""),
      (
        "systemctl",
        "sed -n 's/^ExecStart=//; s|%h|'$HOME'|p' \(unit) | sh && readlink ~/.wallpaper"
      ),
    ] {
      let stub = directory.url.appending(path: "bin/\(name)")
      try Data("#!/bin/sh\n\(body)\n".utf8).write(to: stub)
      chmod(stub.path, 0o755)
    }
    var outputs: [String: String] = [:]
    for line in lines where !line.contains("panda watch") { outputs[line] = try shell(line) }
    // It runs until its reader leaves.
    let watch = try #require(lines.first { $0.contains("panda watch") })
    outputs[watch] = try shell(
      """
      set -m; coproc { \(watch); }
      until panda list >/dev/null; do :; done
      panda fetch --keep >/dev/null 2>&1
      until read -t 1 -r line <&"${COPROC[0]}"; do panda fetch --keep >/dev/null 2>&1; done
      echo "$line"; kill -- -$COPROC_PID
      """)
    func output(_ part: String) throws -> String {
      try #require(outputs.first { $0.key.contains(part) }?.value)
    }
    #expect(try output("--greeting").contains("favorite red panda"))
    #expect(try output("gsettings").contains("file://\(directory.path(".wallpaper"))\n"))
    for desktop in ["swaymsg", "feh", "systemctl"] {
      let copy = try #require(
        try output(desktop).split(separator: "\n").last { $0.hasPrefix("/") }, "\(desktop)")
      #expect(copy.hasPrefix(directory.path("home/panda/links/")) && copy.hasSuffix(".png"))
    }
    #expect(try output("seen:never").contains("20"))
    #expect(try output("~/pandas").contains("Exported 1 panda"))
    #expect(try output("add ~/Pictures").contains("Added 2 pictures"))
    // What was drawn may be in the snow, too.
    #expect(try output("+winter").hasPrefix("Tags ") || output("+winter").contains(Sentence.tagged))
    #expect(try !output("--random").isEmpty)
    #expect(try output("winter.html").contains("Exported "))
    let page = try String(
      contentsOf: directory.url.appending(path: "winter.html"), encoding: .utf8)
    #expect(page.contains("#winter") && page.contains("in the snow"))
    #expect(try output("xargs").contains(".png"))
    #expect(try output("jq -r '\"").split(separator: "\n").count == 4)
    #expect(try output("watch").hasPrefix("panda://grove/"))
    #expect(try output("pandas.html").contains("Exported"))
    #expect(try output("tar xf").contains("Imported 0 pandas; "))
    // A picture frame needs a terminal.
    #expect(try shell("panda slideshow --once 2>&1 </dev/null", status: 2).contains("terminal"))
    #expect(try shell("panda today --ago 1", status: 5).contains("Nobody asked"))
    #expect(try shell("panda today --link pandas 2>&1", status: 2).contains("is a directory"))
  }
}
