internal import FoundationEssentials
internal import PandaTestSupport
internal import Testing

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

struct InvocationTests {
  /// Returns the options of a command line that asks for the program, or for a command.
  private func options(_ arguments: [String]) throws -> Options {
    guard case .run(let options, _) = try Invocation(arguments: arguments) else {
      throw TestFailure("\(arguments) asks for help")
    }
    return options
  }

  private func endpoint(_ text: String) throws -> SourceChoice {
    .endpoint(try #require(URL(string: text)))
  }

  @Test("No arguments run the program with its defaults")
  func defaults() throws {
    #expect(try options([]) == Options())
    #expect(try options(["--"]) == Options())
  }

  @Test(
    "Help, version and licenses are found in every spelling",
    arguments: [
      (["--help"], "help"), (["-h"], "help"), (["--he"], "help"), (["--version"], "version"),
      (["--source", "grove", "-h"], "help"), (["--source=ftp://x", "--help"], "help"),
      (["--version", "--bogus"], "version"), (["--version", "--verbose"], "details"),
      (["--verbose", "--version"], "details"), (["-V"], "version"),
      (["--help", "--version"], "help"), (["--version", "--help"], "version"),
      (["show", "--help"], "help show"), (["--help", "doctor", "twice"], "help doctor"),
      (["stray", "--help"], "help"), (["--help", "--data-dir"], "help"),
      (["tag", "-h"], "help tag"), (["--licenses", "--version"], "licenses"),
    ])
  func helpAndVersion(_ arguments: [String], expected: String) throws {
    let found =
      switch try Invocation(arguments: arguments) {
      case .help(let command): ["help", command?.name].compactMap(\.self).joined(separator: " ")
      case .version(let isVerbose): isVerbose ? "details" : "version"
      case .licenses: "licenses"
      case .run: "run"
      }
    #expect(found == expected)
  }

  @Test("No number of words beside an option ends the program", arguments: 0...4)
  func anyNumberOfWords(_ count: Int) {
    for table in [CommandLineTable.panda, .plain] {
      for command in table.subcommands {
        for option in command.options.map({ [$0.spelling] + ($0.value == nil ? [] : ["1"]) }) {
          let line = [command.name] + option + Array(repeating: "1", count: count)
          // An answer is enough, and a mistake is one.
          _ = try? Invocation(arguments: line, table: table)
        }
      }
    }
  }

  @Test("Values are taken with a space and with an equals sign, and the last one counts")
  func values() throws {
    let address = "https://example.org:8443/pandas?kind=red"
    for arguments in [
      ["--source", address, "--data-dir", "/tmp/a b"],
      ["--source=\(address)", "--data-dir=/tmp/a b"],
      ["--data-dir=/elsewhere", "--data-dir=/tmp/a b", "--sou", address],
    ] {
      #expect(
        try options(arguments)
          == Options(source: try endpoint(address), dataDirectory: "/tmp/a b"))
    }
    #expect(
      try options(["--source", "grove"]) == Options(source: .grove))
    // A value may look like an option.
    #expect(
      try options(["--data-dir", "--help"])
        == Options(dataDirectory: "--help"))
  }

  @Test("Every way of showing pictures can be asked for", arguments: GraphicsOption.allCases)
  func graphics(_ option: GraphicsOption) throws {
    #expect(
      try options(["--graphics", option.rawValue])
        == Options(graphics: option))
    #expect(HelpText().wholeText.contains(option.rawValue))
  }

  @Test("The configuration file, the mouse and the plain screen can be chosen")
  func screen() throws {
    #expect(
      try options(["--config", "my file", "--no-mouse", "--plain"])
        == Options(configurationFile: "my file", withoutMouse: true, plain: true))
    #expect(
      try options(["--config=a", "doctor", "--config=b"])
        == Options(configurationFile: "b"))
    // Whether the file exists is not the command line's business.
    #expect(
      try options(["--config", "/none"])
        == Options(configurationFile: "/none"))
  }

  @Test("What the command line does not say is left to the configuration file")
  func unsaid() {
    #expect(Options().source == nil && Options().graphics == nil)
    #expect(!Options().withoutMouse && !Options().plain)
  }

  @Test("Another way is refused with the choices", arguments: ["", "Kitty", "sixels"])
  func badGraphics(_ value: String) {
    #expect(
      throws: UsageError(
        problem: "--graphics takes auto, kitty, sixel, iterm, symbols, ascii or none, not \(value)")
    ) { try Invocation(arguments: ["--graphics", value]) }
  }

  @Test("doctor is found among the options, and takes no argument")
  func doctor() throws {
    for arguments in [
      ["doctor", "--graphics=sixel"], ["--graphics", "sixel", "doctor"],
      ["--graphics", "sixel", "--", "doctor"],
    ] {
      #expect(try options(arguments) == Options(graphics: .sixel))
    }
    #expect(throws: Never.self) { try Invocation(arguments: ["doctor", "--check"]) }
    #expect(throws: UsageError.self) { try Invocation(arguments: ["list", "--check"]) }
    #expect(throws: UsageError(problem: "unexpected argument twice")) {
      try Invocation(arguments: ["doctor", "twice"])
    }
    #expect(throws: UsageError(problem: "unexpected argument first")) {
      try Invocation(arguments: ["first", "doctor"])
    }
  }

  @Test(
    "An address is taken when it is http or https and names a host",
    arguments: [
      "http://localhost:8080/random", "HTTPS://Example.org", "http://[::1]:80/x",
      "https://example.org/a%20b?c=d&e",
    ])
  func goodAddresses(_ address: String) throws {
    #expect(
      try options(["--source", address])
        == Options(source: try endpoint(address)))
  }

  @Test(
    "Any other source is a usage error that names what is accepted",
    arguments: [
      "", "a,,b", "a b", "panda!", "ftp://example.org/", "file:///etc/passwd", "http:", "http://",
      "http:///x", "https://exa mple.org", "https://example.org/\u{1B}[2J", "javascript:alert(1)",
      "http://exam\nple.org", "--help", "Grove", "https:example.org",
    ])
  func badSources(_ source: String) throws {
    let error = try #require(throws: UsageError.self) {
      try Invocation(arguments: ["--source=\(source)"])
    }
    #expect(
      error.description.hasPrefix(
        "panda: --source takes names such as commons,inaturalist, an http or https address"))
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test(
    "Names of sources and directories are told from addresses",
    arguments: [
      ("commons", .services(["commons"])), ("grove", .grove), ("grove,grove", .grove),
      ("inaturalist,openverse,grove", .services(["inaturalist", "openverse", "grove"])),
      ("commons, redpanda.club,commons", .services(["commons", "redpanda.club"])),
      ("/pictures", .folder("/pictures")), ("./a,b", .folder("./a,b")), (".", .folder(".")),
      ("~/Pictures", .folder("~/Pictures")), ("../x", .folder("../x")),
      ("a/b", .folder("a/b")), ("src/", .folder("src/")),
      ("Red Pandas/2026", .folder("Red Pandas/2026")),
    ] as [(String, SourceChoice)])
  func sourceNames(argument: String, choice: SourceChoice) throws {
    #expect(
      try options(["--source", argument]) == Options(source: choice))
  }

  @Test(
    "An address with a user name is refused without repeating it",
    arguments: [
      "https://me:secret@example.org/", "https://secret@example.org/", "https://:secret@e/",
    ])
  func credentials(_ address: String) throws {
    let error = try #require(throws: UsageError.self) {
      try Invocation(arguments: ["--source", address])
    }
    #expect(!error.description.contains("secret"))
    #expect(error.description.contains("user name or a password"))
  }

  @Test("An address has at most 4,096 bytes")
  func longAddress() throws {
    let longest = "http://e/" + String(repeating: "a", count: SourceChoice.addressLimit - 9)
    #expect(throws: Never.self) { try Invocation(arguments: ["--source", longest]) }
    #expect(throws: UsageError(problem: "the address of --source is longer than 4096 bytes")) {
      try Invocation(arguments: ["--source", longest + "a"])
    }
  }

  @Test(
    "A wrong command line is one calm sentence",
    arguments: [
      (["--foo"], "unknown option --foo"), (["--foo=bar"], "unknown option --foo"),
      (["list", "--kiosk"], "--kiosk is no longer used: \(UsageError.kioskSuccessor)"),
      (["-x"], "unknown option -x"), (["-xh"], "unknown option -x"), (["-é"], "unknown option -é"),
      (["--data-dir=/tmp", "-xh"], "unknown option -x"), (["--foo", "x"], "unknown option --foo"),
      (["--source"], "option --source needs a value"),
      (["--data-dir"], "option --data-dir needs a value"),
      (["--help=me"], "option --help takes no value"),
      (["--version=2"], "option --version takes no value"),
      (["stray"], "unexpected argument stray"),
      (["lst"], "unexpected argument lst; did you mean panda list"),
      (["--", "--help"], "unexpected argument --help"),
      (["stray", "--data-dir=/tmp"], "unexpected argument stray"), ([""], "unexpected argument "),
      (["-"], "unexpected argument -"),
      (["--data-dir="], "--data-dir needs a directory"),
      (["--config"], "option --config needs a value"), (["--config="], "--config needs a file"),
      (
        ["--config", String(repeating: "x", count: 5_000)], "the path of --config is too long"
      ),
      (["--no-mouse=1"], "option --no-mouse takes no value"),
      (["--plain=yes"], "option --plain takes no value"),
      (["--size=4x4"], "option --size is for panda fetch, today or show"),
      (["doctor", "--size", "4x4"], "option --size is for panda fetch, today or show"),
      (["show", "a", "b"], "unexpected argument b"),
      (
        ["show"],
        "show needs the ID of a favorite, or the name of a picture file, or - for standard input"
      ),
      (["completions"], "completions needs the name of a shell: bash, zsh or fish"),
      (["completions", "csh"], "completions exist for bash, zsh or fish, not csh"),
      (["manual", "ls"], "manual takes panda or panda-config, not ls"),
      (["--ver"], "option --ver could be --version or --verbose"),
      (["--\u{1B}[2Jfoo\n"], "unknown option --[2Jfoo "),
      (
        ["--" + String(repeating: "x", count: 500)],
        "unknown option --" + String(repeating: "x", count: 57) + "…"
      ),
    ])
  func wrongUsage(_ arguments: [String], problem: String) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(arguments: arguments) }
    #expect(error.description == "panda: \(problem). Try panda --help.")
  }

  @Test("The help fits on one screen and names every command")
  func help() {
    let lines = HelpText().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 30)
    for line in lines { #expect(line.count <= 80) }
    for command in CommandLineTable.panda.subcommands {
      #expect(HelpText().text.contains(command.name))
    }
  }

  @Test("panda help explains every command, and with all every option")
  func helpOfCommands() throws {
    let whole = try HelpText().text(about: "all")
    for line in whole.split(separator: "\n") { #expect(line.count <= 80) }
    for option in CommandLineTable.panda.options {
      #expect(whole.contains("  \(option.letter.map { "-\($0), " } ?? "")\(option.spelling)"))
    }
    for subcommand in CommandLineTable.panda.subcommands {
      #expect(whole.contains("\n  \(subcommand.usage)"))
      let own = try HelpText().text(about: subcommand.name)
      #expect(own == HelpText().text(of: subcommand))
      #expect(own.hasPrefix("Usage: panda \(subcommand.name)"))
      for option in subcommand.options { #expect(own.contains(option.spelling)) }
      for line in own.split(separator: "\n") { #expect(line.count <= 80) }
    }
    #expect(try HelpText().text(about: nil) == HelpText().text)
    #expect(
      throws: UsageError(problem: "there is no command lst; did you mean panda help list")
    ) { try HelpText().text(about: "lst") }
  }
}
