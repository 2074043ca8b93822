internal import FoundationEssentials
internal import Testing

@testable internal import PandaTUI
@testable import TerminalKit

struct InvocationTests {
  private func endpoint(_ text: String) throws -> SourceChoice {
    .endpoint(try #require(URL(string: text)))
  }

  @Test("No arguments run the program with its defaults")
  func defaults() throws {
    #expect(try Invocation(arguments: []) == .run(Options()))
    #expect(try Invocation(arguments: ["--"]) == .run(Options()))
  }

  @Test(
    "Help and version are found in every spelling",
    arguments: [
      (["--help"], .help(nil)), (["-h"], .help(nil)), (["--he"], .help(nil)),
      (["--version"], .version(isVerbose: false)),
      (["--source", "grove", "-h"], .help(nil)), (["--source=ftp://x", "--help"], .help(nil)),
      (["--version", "--bogus"], .version(isVerbose: false)),
      (["--version", "--verbose"], .version(isVerbose: true)),
      (["--verbose", "--version"], .version(isVerbose: true)),
      (["-V"], .version(isVerbose: false)), (["help"], .session(.help(nil))),
      (["help", "list"], .session(.help("list"))),
      (["--help", "--version"], .help(nil)), (["--version", "--help"], .version(isVerbose: false)),
      (["show", "--help"], .help(.show)), (["--help", "doctor", "twice"], .help(.doctor)),
      (["stray", "--help"], .help(nil)), (["--help", "--data-dir"], .help(nil)),
    ] as [([String], Invocation)])
  func helpAndVersion(_ arguments: [String], expected: Invocation) throws {
    #expect(try Invocation(arguments: arguments) == expected)
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
        try Invocation(arguments: arguments)
          == .run(Options(source: try endpoint(address), dataDirectory: "/tmp/a b")))
    }
    #expect(
      try Invocation(arguments: ["--source", "grove"]) == .run(Options(source: .grove)))
    // A value may look like an option.
    #expect(
      try Invocation(arguments: ["--data-dir", "--help"])
        == .run(Options(dataDirectory: "--help")))
  }

  @Test("Every way of showing pictures can be asked for", arguments: GraphicsOption.allCases)
  func graphics(_ option: GraphicsOption) throws {
    #expect(
      try Invocation(arguments: ["--graphics", option.rawValue])
        == .run(Options(graphics: option)))
    #expect(HelpText().wholeText.contains(option.rawValue))
  }

  @Test("The configuration file, the mouse and the plain screen can be chosen")
  func screen() throws {
    #expect(
      try Invocation(arguments: ["--config", "my file", "--no-mouse", "--plain"])
        == .run(Options(configurationFile: "my file", withoutMouse: true, plain: true)))
    #expect(
      try Invocation(arguments: ["--config=a", "doctor", "--config=b"])
        == .doctor(Options(configurationFile: "b")))
    // Whether the file exists is not the command line's business.
    #expect(
      try Invocation(arguments: ["--config", "/none"])
        == .run(Options(configurationFile: "/none")))
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
      #expect(try Invocation(arguments: arguments) == .doctor(Options(graphics: .sixel)))
    }
    #expect(try Invocation(arguments: ["doctor", "--check"]) == .doctor(Options(check: true)))
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
      try Invocation(arguments: ["--source", address])
        == .run(Options(source: try endpoint(address))))
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
      try Invocation(arguments: ["--source", argument]) == .run(Options(source: choice)))
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
      (["list", "--kiosk"], "--kiosk is no longer used: \(CommandLineScan.kioskSuccessor)"),
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
      (["--size=4x4"], "option --size is for panda fetch, show or today"),
      (["doctor", "--size", "4x4"], "option --size is for panda fetch, show or today"),
      (["show", "a", "b"], "unexpected argument b"),
      (
        ["show"],
        "show needs the ID of a favorite, or the name of a picture file, or - for standard input"
      ),
      (["completions"], "completions needs the name of a shell: bash, zsh or fish"),
      (["completions", "csh"], "completions exist for bash, zsh or fish, not csh"),
      (["manual", "ls"], "the manual pages are panda and panda-config, not ls"),
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
      #expect(HelpText().text.contains(command.name.rawValue))
    }
    let grouped = Subcommand.groups.flatMap(\.names).map(\.rawValue)
    #expect(grouped.sorted() == CommandLineTable.panda.subcommands.map(\.name.rawValue).sorted())
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
      let own = try HelpText().text(about: subcommand.name.rawValue)
      #expect(own == HelpText().text(of: subcommand.name))
      #expect(own.hasPrefix("Usage: panda \(subcommand.name.rawValue)"))
      for option in subcommand.options { #expect(own.contains(option.spelling)) }
      for line in own.split(separator: "\n") { #expect(line.count <= 80) }
    }
    #expect(try HelpText().text(about: nil) == HelpText().text)
    #expect(
      throws: UsageError(problem: "there is no command lst; did you mean panda help list")
    ) { try HelpText().text(about: "lst") }
  }
}
