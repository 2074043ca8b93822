import TerminalKit
import Testing

@testable import PandaTUI

@Suite struct PlainLineParserTests {
  private func parse(_ line: String, keys: KeyTable = .standard) throws -> Invocation? {
    try PlainLineParser(keys: keys).parse(line)
  }

  private func library(_ request: LibraryRequest) -> Invocation { .library(Options(), request) }

  @Test(
    arguments: [
      ("b", .back), ("back", .back), ("fav", .favorite), ("clear", .clear), ("sort", .sort(nil)),
      ("sort oldest", .sort(.oldest)), ("tags a b", .tags(id: "this", "a b")),
      ("tags 2 a", .tags(id: "2", "a")), ("tags", .tags(id: "this", "")),
      ("details", .details(id: "this")), ("details 3.", .details(id: "3")),
      ("save ~/my  panda.png", .save(id: "this", "~/my  panda.png")),
      ("credit", .credit(id: "this")),
      ("address", .address(id: "this")), ("hide", .hide(id: "this")), ("help", .help(nil)),
      ("help remove", .help("remove")), ("problem", .problem), ("quit", .quit),
    ] as [(String, SessionRequest)])
  func `session commands and their prefixes are understood`(
    _ line: String, _ request: SessionRequest
  ) throws {
    #expect(try parse(line) == .session(request))
  }

  @Test(
    arguments: [
      ("fetch", .fetch(FetchRequest())), ("FETCH", .fetch(FetchRequest())),
      ("  fe  ", .fetch(FetchRequest())), ("fetch -n 3", .fetch(FetchRequest(count: 3))),
      ("remove", .remove(.ids(["this"]))), ("remove 3", .remove(.ids(["3"]))),
      ("rem 12. 3", .remove(.ids(["12", "3"]))), ("remove --all", .remove(.all(filter: ""))),
      ("undo", .undo(1)), ("redo 2", .redo(2)), ("list", .list(ListRequest())),
      ("list sleepy  #snow", .list(ListRequest(filter: "sleepy #snow"))),
      ("list it's", .list(ListRequest(filter: "it's"))),
      ("l -n 2", .list(ListRequest(limit: 2))),
      ("trash", .list(ListRequest(ofTrash: true))), ("show 2", .show("2", asBytes: false)),
      ("show", .show("this", asBytes: false)), ("restore 1", .restore(.ids(["1"]))),
      ("caption", .caption(.ids(["this"]), "")),
      ("caption It's Sleepy in the snow ", .caption(.ids(["this"]), "It's Sleepy in the snow")),
      ("caption 2 Sleepy", .caption(.ids(["2"]), "Sleepy")),
      ("caption this 3 pandas", .caption(.ids(["this"]), "3 pandas")),
      ("caption 1. FC Panda", .caption(.ids(["this"]), "1. FC Panda")),
      ("caption 1f0a9c22ab 3 pandas", .caption(.ids(["1f0a9c22ab"]), "3 pandas")),
      ("tag 1f0a9c22 +snow", .tag(.ids(["1f0a9c22"]), "+snow")),
      ("remove --al", .remove(.all(filter: ""))),
      ("caption --all #snow In snow", .caption(.all(filter: "#snow"), "In snow")),
      ("tag --all #snow +ice", .tag(.all(filter: "#snow"), "+ice")),
      ("caption --alles", .caption(.ids(["this"]), "--alles")),
      ("list --sort random", .list(ListRequest(order: .random))),
      ("caption -- ", .caption(.ids(["this"]), "--")),
      ("tag 1 +snow -rain", .tag(.ids(["1"]), "+snow -rain")),
      ("tag +2024", .tag(.ids(["this"]), "+2024")), ("open", .open(id: "this")),
      ("collections", .collections(.list)),
      ("collections keep 'In snow' #snow", .collections(.keep(name: "In snow", filter: "#snow"))),
      (#"add 'my pandas' "a \"b\"" c\ d"#, .add(["my pandas", #"a "b""#, "c d"])),
    ] as [(String, LibraryRequest)])
  func `commands of the shell are the same ones, with items and text as typed`(
    _ line: String, _ request: LibraryRequest
  ) throws {
    #expect(try parse(line) == library(request))
  }

  @Test func `the keys of the screen ask for the same here, with what follows them`() throws {
    #expect(try parse(" ") == .session(.favorite))
    #expect(try parse("space") == .session(.favorite))
    #expect(try parse("n") == library(.fetch(FetchRequest())))
    #expect(try parse("c Sleepy") == library(.caption(.ids(["this"]), "Sleepy")))
    #expect(try parse("C") == .session(.clear))
    #expect(try parse("t snow") == .session(.tags(id: "this", "snow")))
    #expect(try parse("/ snow") == library(.list(ListRequest(filter: "snow"))))
    #expect(try parse("x 2") == library(.remove(.ids(["2"]))))
    #expect(try parse("U") == library(.redo(1)))
    #expect(try parse("? x") == .session(.help("x")))
    #expect(try parse("!") == .session(.problem))
    #expect(try parse("r") == .library(Options(random: true), .today(.picture)))
  }

  @Test func `each command that the screen shares can be typed by its keys`() throws {
    let parser = PlainLineParser(keys: .standard)
    for command in CommandLineTable.plain.subcommands {
      guard let screen = command.name.screenCommand, screen.rawValue == command.name.rawValue
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
    #expect(try parse("g", keys: keys) == library(.fetch(FetchRequest())))
    #expect(try parse("f", keys: keys) == .session(.favorite))
    let fetch = try #require(CommandLineTable.plain[.fetch])
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
      ("re", "type more of re: it could be remove, restore or redo"),
      ("fetch 3", "unexpected argument 3"),
      ("caption 5", "caption needs the ID of a favorite and a text"),
      ("tags 5", "tags needs the tags"),
      ("save", "save needs the name of a file that is not there yet"),
      ("sort up", "sort takes newest, oldest, source, caption or size, not up"),
      (
        "collections keep x",
        "collections takes nothing, or keep with a name and a filter, or "
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
    let remove = try #require(CommandLineTable.plain[.remove])
    #expect(
      help.line(for: remove)
        == "remove, or remove ID or FILTER: move favorites to the trash. Its key is x.")
  }
}
