import TerminalKit
import Testing

@testable import PandaTUI

@Suite struct PlainCommandTests {
  private func parse(_ line: String, keys: KeyTable = .standard) throws -> PlainCommand? {
    try PlainCommand(line: line, keys: keys)
  }

  @Test(
    arguments: [
      ("fetch", .fetch), ("FETCH", .fetch), ("  fetch  ", .fetch), ("fe", .fetch), ("b", .back),
      ("ba", .back), ("fav", .favorite), ("remove", .remove(nil)), ("remove 3", .remove(3)),
      ("rem 12", .remove(12)), ("clear", .clear), ("und", .undo), ("redo", .redo),
      ("list", .list("")), ("list sleepy  #snow", .list("sleepy  #snow")), ("l", .list("")),
      ("show 2", .show(2)), ("show 2.", .show(2)), ("sort", .sort), ("trash", .trash),
      ("restore 1", .restore(1)), ("caption", .caption("")),
      ("caption Sleepy in the snow ", .caption("Sleepy in the snow")),
      ("caption\tTabbed", .caption("Tabbed")), ("tags a b", .tags("a b")),
      ("details", .details), ("save ~/my panda.png", .save("~/my panda.png")), ("open", .open),
      ("address", .address), ("credit", .credit), ("hide", .hide), ("help", .help(nil)),
      ("help remove", .help(.remove)), ("help res", .help(.restore)), ("problem", .problem),
      ("quit", .quit),
    ] as [(String, PlainCommand)])
  func `words and their beginnings are understood`(_ line: String, _ command: PlainCommand) throws {
    #expect(try parse(line) == command)
  }

  @Test func `the keys of the screen ask for the same here, with what follows them`() throws {
    for word in PlainWord.allCases {
      guard let command = word.command, let keys = KeyTable.standard[command]?.keys else {
        continue
      }
      for case .character(let key) in keys {
        let line = word.argument == .text("FILE") ? "\(key) x" : String(key)
        #expect(try parse(line) != nil)
      }
    }
    #expect(try parse(" ") == .favorite)
    #expect(try parse("space") == .favorite)
    #expect(try parse("n") == .fetch)
    #expect(try parse("c Sleepy") == .caption("Sleepy"))
    #expect(try parse("C") == .clear)
    #expect(try parse("/ snow") == .list("snow"))
    #expect(try parse("x 2") == .remove(2))
    #expect(try parse("U") == .redo)
    #expect(try parse("?") == .help(nil))
    #expect(try parse("? x") == .help(.remove))
    #expect(try parse("!") == .problem)
  }

  @Test func `keys that the person chose take the place of the standard ones`() throws {
    let keys = KeyTable.standard.rebound([
      .card(.fetch): [.character("g")], .move(.first): [], .favorites(.favorite): [.character("f")],
    ]).table
    #expect(try parse("g", keys: keys) == .fetch)
    #expect(try parse("f", keys: keys) == .favorite)
    #expect(try parse("fetch", keys: keys) == .fetch)
    #expect(PlainHelp(keys: keys).line(for: .fetch).hasSuffix("Its key is g."))
  }

  @Test(arguments: ["", "  ", "\t", " \t  "])
  func `a line without words asks for nothing`(_ line: String) throws {
    #expect(try parse(line) == nil)
  }

  @Test(
    arguments: [
      ("fetsh", .unknown("fetsh", nearest: "fetch")), ("xyzzy", .unknown("xyzzy", nearest: nil)),
      ("favourite", .unknown("favourite", nearest: "favorite")),
      ("re", .ambiguous("re", [.remove, .redo, .restore])),
      ("fetch 3", .tooMuch(.fetch)), ("save", .tooLittle(.save)), ("show", .tooLittle(.show)),
      ("show 0", .notANumber("0", .show)), ("show -1", .notANumber("-1", .show)),
      ("remove all", .notANumber("all", .remove)), ("restore", .tooLittle(.restore)),
      ("show 99999999999999999999", .notANumber("99999999999999999999", .show)),
      ("help nonsense", .unknown("nonsense", nearest: nil)),
    ] as [(String, PlainMistake)])
  func `what is not understood is named`(_ line: String, _ mistake: PlainMistake) {
    #expect(throws: mistake) { try parse(line) }
  }

  @Test func `mistakes are said in a sentence, harmless and short`() {
    #expect(
      PlainMistake.unknown("fetsh", nearest: "fetch").description
        == "fetsh is not a command. Did you mean fetch?")
    #expect(
      PlainMistake.ambiguous("re", [.remove, .redo, .restore]).description
        == "re could be remove, redo or restore. Type more of it.")
    #expect(
      PlainMistake.tooLittle(.show).description
        == "Something is missing after show. Type show NUMBER.")
    #expect(
      PlainMistake.unknown("\u{1B}[2J\u{7}", nearest: nil).description.hasPrefix("[2J is not"))
    let long = PlainMistake.unknown(String(repeating: "x", count: 60_000), nearest: nil)
    #expect(long.description.count < 120)
  }

  @Test func `the help has a line for each command, and its keys`() {
    let help = PlainHelp(keys: .standard)
    #expect(help.lines.count == PlainWord.allCases.count + PlainCommand.shellCommands.count + 1)
    #expect(help.line(for: .fetch) == "fetch: describes another red panda. Its keys are f and n.")
    #expect(help.line(for: .favorite).hasSuffix("Its key is space."))
    #expect(
      help.line(for: .show).hasPrefix("show NUMBER: ") && !help.line(for: .show).contains("key"))
  }

  @Test func `commands of the shell are taken, with quotes, options and their own mistakes`()
    throws
  {
    #expect(
      try parse(#"add 'my pandas' "a \"b\"" c\ d"#)
        == .shell(.add(["my pandas", #"a "b""#, "c d"]), Options()))
    #expect(try parse("STATS --json") == .shell(.stats, Options(json: true)))
    #expect(try parse("ad") == .address)
    #expect(
      throws: PlainMistake.shell(
        "export needs the name of a directory, of a .tar file or of an .html file")
    ) {
      try parse("export")
    }
    #expect(throws: PlainMistake.notInKiosk) {
      try PlainCommand(line: "export /tmp/x", keys: KeyTable.standard.forKiosk)
    }
  }
}
