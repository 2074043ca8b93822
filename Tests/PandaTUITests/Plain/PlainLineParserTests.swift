import TerminalKit
import Testing

@testable import PandaSession
@testable import PandaShell

@Suite struct PlainLineParserTests {
  /// Returns the words of the command line that a line stands for, if it takes them.
  private func parse(_ line: String, keys: KeyTable = .standard) throws -> [String]? {
    let arguments = try PlainLineParser(keys: keys).arguments(of: line)
    if let arguments { _ = try Invocation(arguments: arguments, table: .plain) }
    return arguments
  }

  @Test(
    arguments: [
      ("b", ["back"]), ("back", ["back"]), ("fav", ["favorite"]), ("clear", ["clear"]),
      ("sort", ["sort"]), ("sort oldest", ["sort", "oldest"]),
      ("tags a b", ["tags", "this", "--", "a b"]), ("tags 2 a", ["tags", "2", "--", "a"]),
      ("tags", ["tags", "this", "--", ""]),
      ("details", ["details", "this"]), ("details 3.", ["details", "3"]),
      ("save ~/my  panda.png", ["save", "this", "--", "~/my  panda.png"]),
      ("credit", ["credit", "this"]), ("address", ["address", "this"]), ("hide", ["hide", "this"]),
      ("help", ["help"]), ("help remove", ["help", "remove"]), ("problem", ["problem"]),
      ("keep", ["favorite"]), ("Star", ["favorite"]), ("next", ["fetch"]),
      ("another", ["fetch"]), ("exit", ["quit"]),
      ("quit", ["quit"]), ("fetch", ["fetch"]), ("FETCH", ["fetch"]), ("  fe  ", ["fetch"]),
      ("fetch -n 3", ["fetch", "-n", "3"]), ("remove", ["remove", "this"]),
      ("remove 3", ["remove", "3"]), ("rem 12. 3", ["remove", "12", "3"]),
      ("remove --all", ["remove", "--all"]), ("fetch --ke", ["fetch", "--ke"]),
      ("undo", ["undo"]), ("redo 2", ["redo", "2"]), ("list", ["list"]),
      ("list sleepy  #snow", ["list", "sleepy", "#snow"]), ("list it's", ["list", "it's"]),
      ("l -n 2", ["list", "-n", "2"]), ("list --sort random", ["list", "--sort", "random"]),
      ("trash", ["trash"]), ("show 2", ["show", "2"]), ("show", ["show", "this"]),
      ("restore 1", ["restore", "1"]), ("caption", ["caption", "this", "--", ""]),
      (
        "caption It's Sleepy in the snow ",
        ["caption", "this", "--", "It's Sleepy in the snow"]
      ),
      ("caption 2 Sleepy", ["caption", "2", "--", "Sleepy"]),
      ("caption this 3 pandas", ["caption", "this", "--", "3 pandas"]),
      ("caption 1. FC Panda", ["caption", "this", "--", "1. FC Panda"]),
      ("caption 1f0a9c22ab 3 pandas", ["caption", "1f0a9c22ab", "--", "3 pandas"]),
      ("caption --all #snow In snow", ["caption", "--all", "#snow", "In", "snow"]),
      ("caption --alles", ["caption", "this", "--", "--alles"]),
      ("caption -- ", ["caption", "this", "--", "--"]),
      ("tag 1f0a9c22 +snow", ["tag", "1f0a9c22", "+snow"]),
      ("tag --all #snow +ice", ["tag", "--all", "#snow", "+ice"]),
      ("tag 1 +snow -rain", ["tag", "1", "+snow", "-rain"]),
      ("tag +2024", ["tag", "this", "+2024"]), ("open", ["open", "this"]),
      ("collections", ["collections"]),
      ("collections save 'In snow' #snow", ["collections", "save", "In snow", "#snow"]),
      (#"add 'my pandas' "a \"b\"" c\ d"#, ["add", "my pandas", #"a "b""#, "c d"]),
    ])
  func `a line is a command line, with prefixes, items and text as typed`(
    _ line: String, _ arguments: [String]
  ) throws {
    #expect(try parse(line) == arguments)
  }

  @Test func `the keys of the screen ask for the same here, with what follows them`() throws {
    for (line, arguments) in [
      (" ", ["favorite"]), ("space", ["favorite"]), ("n", ["fetch"]),
      ("c Sleepy", ["caption", "this", "--", "Sleepy"]), ("C", ["clear"]),
      ("t snow", ["tags", "this", "--", "snow"]), ("/ snow", ["list", "snow"]),
      ("x 2", ["remove", "2"]), ("U", ["redo"]), ("? x", ["help", "x"]), ("!", ["problem"]),
      ("r", ["today", "--random"]),
    ] {
      #expect(try parse(line) == arguments)
    }
  }

  @Test func `each command that the screen shares can be typed by its keys`() throws {
    let parser = PlainLineParser(keys: .standard)
    for command in CommandLineTable.plain.subcommands {
      guard let screen = command.screenCommand, screen.rawValue == command.name
      else { continue }
      for case .character(let key) in try #require(KeyTable.standard[screen]).keys {
        #expect(parser.command(for: .character(key))?.name == command.name, "\(key)")
      }
    }
  }

  @Test func `keys chosen by the user replace the standard ones`() throws {
    let keys = KeyTable.standard.rebound([
      .card(.fetch): [.character("g")], .move(.first): [], .favorites(.favorite): [.character("f")],
    ]).table
    #expect(try parse("g", keys: keys) == ["fetch"])
    #expect(try parse("f", keys: keys) == ["favorite"])
    let fetch = FetchCommand.subcommand
    #expect(
      PlainHelp(parser: PlainLineParser(keys: keys)).line(for: fetch).hasSuffix("Its key is g."))
  }

  @Test(arguments: ["", "  ", "\t", " \t  "])
  func `a line without words asks for nothing`(_ line: String) throws {
    #expect(try parse(line) == nil)
  }

  @Test(
    arguments: [
      ("fetsh", "there is no command fetsh. Did you mean fetch?"),
      ("xyzzy", "there is no command xyzzy. Type help for the most important ones"),
      // Words by which help finds commands that do something else.
      ("random", "there is no command random. Type help for the most important ones"),
      ("ban", "there is no command ban. Type help for the most important ones"),
      ("re", "type more of re: it could be remove, restore or redo"),
      ("fetch 3", "unexpected argument 3"),
      ("caption 5", "caption needs the ID of a favorite and a text"),
      ("tags 5", "tags needs the tags"),
      ("save", "save needs the name of a file that is not there yet"),
      ("sort up", "sort takes newest, oldest, source, caption, size or unseen, not up"),
      (
        "collections save x",
        "collections takes nothing, or save with a name and a filter, or "
          + "delete with a name"
      ),
      ("export", "export needs the name of a directory or of an .html file"),
    ])
  func `a usage error names the problem in the line`(_ line: String, _ problem: String) {
    #expect(throws: UsageError(problem: problem)) { try parse(line) }
  }

  @Test func `an error message is sanitized and short, whatever was typed`() {
    for typed in ["\u{1B}[2J\u{7}", String(repeating: "x", count: 60_000)] {
      #expect {
        try parse(typed)
      } throws: { error in
        let problem = (error as? UsageError)?.problem ?? ""
        return problem.count < 120 && !problem.contains("\u{1B}")
      }
    }
  }

  @Test func `the help gives eight commands, and the others when asked`() throws {
    let help = PlainHelp(parser: PlainLineParser(keys: .standard))
    #expect(help.lines.count == 8 + 2)
    #expect(help.otherLines.count == CommandLineTable.plain.subcommands.count - 8 + 1)
    #expect(
      help.lines[1] == "fetch: fetch a red panda, or several. Its keys are f and n.")
    let remove = TrashCommands.remove
    #expect(
      help.line(for: remove)
        == "remove, or remove ID or FILTER: move favorites to the trash. Its key is x.")
  }
}
