import Foundation
import PandaTestSupport
import Testing

/// The program without a screen.
@Suite struct CommandLineTests {
  func run(_ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin"]) throws
    -> (status: Int32, output: String)
  {
    let result = try Subprocess.run(
      [BuildProducts.path(of: "panda")] + arguments, environment: environment)
    return (result.status, result.output)
  }

  @Test func `--version and help need no terminal and no database`() throws {
    let version = try run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("panda "))
    #expect(try run(["-V"]).output == version.output)
    let help = try run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("Usage: panda"))
    #expect(try run(["help"]).output == help.output)
    #expect(try run(["help", "list"]).output == run(["list", "--help"]).output)
    let unknown = try run(["help", "lst"])
    #expect(unknown.status == 2 && unknown.output.contains("did you mean panda help list"))
  }

  @Test(arguments: ["--version", "--help", "doctor"])
  func `an output that cannot be written is reported, with status 1`(_ argument: String) throws {
    let result = try Subprocess.run(
      ["sh", "-c", "\"$@\" >/dev/full", "sh", BuildProducts.path(of: "panda"), argument],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(result.status == 1)
    #expect(result.output == "panda: standard output: the disk is full.\n")
  }

  @Test(arguments: [
    (["--source", "ftp://x/"], "http or https"), (["--nonsense"], "unknown option"),
    (["doctor", "--config", "/nonexistent/x"], "--config"),
  ])
  func `wrong usage is one line that names the fault, and status 2`(
    _ arguments: [String], _ words: String
  ) throws {
    let result = try run(arguments)
    #expect(result.status == 2)
    #expect(result.output.contains(words))
    #expect(result.output.hasSuffix("Try panda --help.\n"))
  }

  @Test(arguments: [
    (#"XDG_DATA_HOME="/tmp/$0" exec "$1" list"#, "XDG_DATA_HOME is not UTF-8 text"),
    (#"HOME="/tmp/$0" exec "$1" list"#, "HOME is not UTF-8 text"),
    (#"exec "$1" --data-dir "/tmp/$0" list"#, "argument 2 is not UTF-8 text"),
  ])
  func `fault 87: a path that is not UTF-8 is named, with status 2`(
    _ command: String, _ words: String
  ) throws {
    let script = command.replacing("$0", with: #"$(printf 'caf\351')"#)
    let result = try Subprocess.run(
      ["sh", "-c", script, "sh", BuildProducts.path(of: "panda")],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(result.status == 2)
    #expect(result.output == "panda: \(words). Try panda --help.\n")
  }

  @Test func `fault 114: no command and no screen opens another library than the settings name`()
    async throws
  {
    let directory = TemporaryDirectory()
    let environment = [
      "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)", "TERM=xterm",
      "XDG_CONFIG_HOME=\(directory.path("config"))", "XDG_DATA_HOME=\(directory.path("data"))",
    ]
    try PandaDriver.configure(directory, "{\n library: 'postgresql://x/y',, }")
    let commands = [
      ["list"], ["stats"], ["add", "/x.png"], ["remove", "--all"], ["export", "/nonexistent/x"],
      ["today"],
      ["today", "--greeting"], ["fetch", "--source", "grove"], ["sources"], ["pick"], ["--plain"],
      ["show", "/x.png"], ["config", "print"], ["doctor", "--check"], ["copy", "--to", "local"],
    ]
    for command in commands {
      let (status, output) = try run(command, environment: environment)
      let isSaid = output.hasPrefix("panda: config.json5 line 2: ")
      #expect(status == 4 && isSaid, "\(command): \(output)")
      #expect(output.split(separator: "\n").count == 1, "\(command): \(output)")
    }
    // The screen says it before it is one.
    let screen = try PseudoTerminal(
      BuildProducts.path(of: "panda"), [], environment: environment, columns: 80, rows: 24)
    #expect(try await screen.waitForExit() == .exited(4))
    #expect(screen.readableOutput.contains("config.json5 line 2: "))
    #expect(!screen.output.contains(0x1B))
    #expect(!FileManager.default.fileExists(atPath: directory.path("data")))

    for command in [["--help"], ["--version"], ["config", "path"], ["completions", "bash"]] {
      let (status, output) = try run(command, environment: environment)
      #expect(status == 0 && !output.contains(" line 2: "), "\(command): \(output)")
    }
    let doctor = try run(["doctor"], environment: environment)
    #expect(doctor.status == 0 && doctor.output.contains("favorites  unknown"))
    #expect(doctor.output.contains("config.json5 line 2: "))
    let named = try run(["list", "--library", "local"], environment: environment)
    #expect(named.status == 0 && named.output.contains("config.json5 line 2: "), "\(named.output)")
  }

  @Test func `fault 67: each command reports the other problems of the settings once`() throws {
    let directory = TemporaryDirectory()
    let environment = [
      "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)",
      "XDG_CONFIG_HOME=\(directory.path("config"))",
    ]
    try PandaDriver.configure(directory, "{ mouse: 7,\n themee: 'dark' }")
    for command in [
      ["list"], ["fetch", "--source", "grove"], ["show", "/x.png"], ["sources"], ["today"],
      ["today", "--greeting"], ["config", "print"], ["doctor"], ["pick"],
      ["--plain", "--source", "grove"],
    ] {
      let output = try run(command, environment: environment).output
      #expect(output.components(separatedBy: "line 1: \"mouse\" must").count == 2, "\(output)")
    }
  }

  @Test func `fault 110: a library on a server is not checked in place of another`() throws {
    let directory = TemporaryDirectory()
    let environment = [
      "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)",
      "XDG_CONFIG_HOME=\(directory.path("config"))",
    ]
    try PandaDriver.configure(directory, "{ library: 'postgresql://me:secret@db.example/zoo' }")
    for more in [[], ["--library", "postgresql://me:secret@db.example/zoo"]] {
      let (status, output) = try run(["doctor", "--check"] + more, environment: environment)
      #expect(status == 2 && output.contains("db.example/zoo is on a server"), "\(output)")
      #expect(!output.contains("secret") && !output.contains("whole"), "\(output)")
    }
    let local = try run(["doctor", "--check", "--library", "local"], environment: environment)
    #expect(local.status == 0 && local.output.contains("No favorites file yet"), "\(local.output)")
  }

  @Test(arguments: ["", "nonsense-terminal", "dumb"])
  func `a terminal that cannot show a screen gets a sentence, and status 2`(_ term: String)
    async throws
  {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove"],
      environment: ["TERM=\(term)", "LANG=C.UTF-8"], columns: 80, rows: 24)
    try await panda.waitForOutput(containing: "panda --plain works here")
    #expect(try await panda.waitForExit() == .exited(2))
  }

  @Test func `in the C locale the screen is ASCII, picture and frame alike`() async throws {
    let directory = TemporaryDirectory()
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LC_ALL=C", "COLORTERM=truecolor"], columns: 80, rows: 24
    )
    try await panda.waitForOutput(containing: "38;2;")
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
    let output = panda.output
    let isASCII = output.allSatisfy { $0 < 0x80 }
    let hasFrame = output.contains(Array("+- ".utf8))
    #expect(isASCII && hasFrame)
  }
}
