import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

@Suite struct ConfirmDialogTests {
  let keys = KeyTable.standard
  var question = Dialog.confirm(
    ConfirmDialog(title: "Clear", question: "Remove all 12 favorites?", note: "They rest.") {})

  @Test(arguments: [Key.enter, .escape, .character("n"), .character("N"), .character("q")])
  mutating func `any answer but yes does nothing`(_ key: Key) {
    #expect(question.handle(key, keys: keys) == .close)
  }

  @Test(arguments: [Key.character("y"), .character("Y")])
  mutating func `y confirms`(_ key: Key) {
    #expect(question.handle(key, keys: keys) == .confirmed)
  }

  @Test mutating func `the arrows choose an answer, and enter confirms it`() {
    #expect(question.handle(.right, keys: keys) == .stay)
    #expect(question.handle(.enter, keys: keys) == .confirmed)
    #expect(question.handle(.left, keys: keys) == .stay)
    #expect(question.handle(.enter, keys: keys) == .close)
  }

  @Test(arguments: [Key.character("x"), .character(" "), .character("C"), .delete, .function(1)])
  mutating func `other keys change nothing`(_ key: Key) {
    let before = question
    #expect(question.handle(key, keys: keys) == .stay)
    #expect(question == before)
  }

  @Test mutating func `a question and its answers fit on a small screen`() {
    let words = ActionWords(names: keys)
    for (question, note) in [
      words.purgeQuestion(count: 10, name: "A red panda"), words.clearQuestion(count: 41),
    ] {
      var dialog = ConfirmDialog(title: "?", question: question, note: note) {}
      var canvas = Canvas(size: CellSize(columns: 20, rows: 8))
      dialog.draw(into: &canvas)
      let words = canvas.text.split { !$0.isLetter && !$0.isNumber && $0 != "?" }
      let shown = words.joined(separator: " ")
      #expect(shown.contains(question) && shown.hasSuffix("No Yes"), "\(canvas.text)")
    }
  }

  @Test mutating func `a click on an answer gives it, one beside the question closes it`() throws {
    var canvas = Canvas(size: CellSize(columns: 60, rows: 12))
    question.draw(into: &canvas)
    func place(of text: String) throws -> MouseEvent {
      let row = try #require(
        canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
          .firstIndex { $0.contains(text) })
      let line = canvas.rows[row].map(\.text)
      let column = try #require(
        line.indices.first { line[$0...].joined().hasPrefix(text) })
      return MouseEvent(.press(.left), column: column, row: row)
    }
    #expect(question.handle(try place(of: "Yes")) == .confirmed)
    #expect(question.handle(try place(of: "No")) == .close)
    #expect(question.handle(try place(of: "Remove")) == .stay)
    #expect(question.handle(MouseEvent(.press(.left), column: 0, row: 0)) == .close)
  }
}

@Suite struct HelpDialogTests {
  let keys = KeyTable.standard
  var help = HelpDialog(.standard) {
    $0 == .favorites(.undo) ? "The panda sleeps" : nil
  }

  private mutating func type(_ text: String) {
    for character in text { _ = help.handle(.character(character)) }
  }

  @Test mutating func `it opens with eight commands, and ? shows all, then closes it`() {
    #expect(help.entries.map(\.command) == HelpDialog.first && help.entries.count == 8)
    var canvas = Canvas(size: CellSize(columns: 80, rows: 24))
    help.draw(into: &canvas)
    #expect(canvas.text.contains(HelpDialog.more))
    #expect(help.handle(.character("?")) == .stay)
    #expect(help.entries.count == keys.bindings.count - HelpDialog.rare.count)
    #expect(help.handle(.character("?")) == .close)
  }

  @Test(arguments: [(98, 60), (100, 60), (120, 40), (200, 40)])
  mutating func `it lists every command with its keys, in two columns where there is room`(
    _ columns: Int, _ rows: Int
  ) {
    _ = help.handle(.character("?"))
    var canvas = Canvas(size: CellSize(columns: columns, rows: rows))
    help.draw(into: &canvas)
    // In two columns an end may be cut, which the last line then has for the selected one.
    for binding in keys.bindings where !HelpDialog.rare.contains(binding.command) {
      #expect(canvas.text.contains(binding.help.prefix(20)))
    }
    let lines = canvas.text.split(separator: "\n")
    let isSideBySide = lines.contains { line in
      CommandEntry.HelpGroup.allCases.contains { line.contains($0.rawValue) }
        && keys.bindings.contains { line.contains($0.help.prefix(20)) }
    }
    #expect(isSideBySide == (columns >= 100))
  }

  @Test mutating func `an unavailable command is dim, and nothing else is`() {
    var canvas = Canvas(size: CellSize(columns: 80, rows: 24))
    help.draw(into: &canvas)
    for row in canvas.rows {
      let isDim = row.contains { $0.ink == .dim && $0.text != " " }
      #expect(isDim == row.map(\.text).joined().contains("Undo the last change"))
    }
  }

  @Test mutating func `a dialog dims what is behind it`() {
    var canvas = Canvas(size: CellSize(columns: 120, rows: 40))
    canvas.draw("Red Panda", at: CellPoint(column: 2, row: 0), ink: .title)
    canvas.draw("q quit", at: CellPoint(column: 2, row: 39), ink: .key)
    help.draw(into: &canvas)
    #expect(canvas.rows[0][2].ink == .dim && canvas.rows[39][2].ink == .key)
  }

  @Test mutating func `typing filters, and enter runs what is selected`() {
    type("sleep")
    #expect(help.entries.isEmpty)
    _ = help.handle(.control("u"))
    type("party")
    #expect(help.entries.map(\.command) == [.card(.party)])
    #expect(help.handle(.enter) == .perform(.card(.party)))
    _ = help.handle(.control("u"))
    // By its key, too; a key without Ctrl is a letter.
    type("ctrl-l")
    #expect(help.entries.map(\.command) == [.program(.redraw)])
    _ = help.handle(.control("u"))
    type("q")
    #expect(help.field.text == "q" && help.handle(.escape) == .close)
  }

  @Test mutating func `an unavailable command says why, and is not run`() {
    type("undo the")
    #expect(help.selected?.command == .favorites(.undo))
    #expect(help.handle(.enter) == .stay)
    var canvas = Canvas(size: CellSize(columns: 100, rows: 40))
    help.draw(into: &canvas)
    #expect(canvas.text.contains("Not now: The panda sleeps"))
  }

  @Test(arguments: [4, 8, 12, 30])
  mutating func `the selection is visible, however short the screen is`(_ rows: Int) {
    _ = help.handle(.character("?"))
    var seen: Set<String> = []
    for _ in keys.bindings {
      var canvas = Canvas(size: CellSize(columns: 98, rows: rows))
      help.draw(into: &canvas)
      if let selected = help.selected {
        let isInView = canvas.text.contains(selected.help)
        #expect(isInView || rows < 5, "\(selected.help) at \(rows) rows")
        seen.insert(selected.help)
      }
      _ = help.handle(.down)
    }
    #expect(seen.count == keys.bindings.count - HelpDialog.rare.count)
    for _ in 0..<100 { _ = help.handle(.pageUp) }
    #expect(help.selected?.command == keys.bindings.first?.command)
  }

  @Test mutating func `a click selects, and a click on what is selected runs it`() {
    var canvas = Canvas(size: CellSize(columns: 98, rows: 60))
    _ = help.handle(.character("?"))
    help.draw(into: &canvas)
    let row = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.contains("Party mode") }!
    let click = MouseEvent(.press(.left), column: 30, row: row)
    #expect(help.handle(click) == .stay)
    #expect(help.selected?.command == .card(.party))
    #expect(help.handle(click) == .perform(.card(.party)))
    #expect(help.handle(MouseEvent(.scroll(.down), column: 30, row: row)) == .stay)
    #expect(help.selected?.command == .favorites(.favorite))
  }

  @Test(arguments: [
    ("delete", Command.favorites(.remove)), ("star", .favorites(.favorite)),
    ("exit", .program(.quit)), ("search", .favorites(.filter)),
    ("restore", .favorites(.undo)), ("url", .picture(.copyAddress)),
  ])
  mutating func `a command is found by its synonyms`(_ word: String, _ command: Command) {
    type(word)
    #expect(help.selected?.command == command)
  }

  @Test mutating func `at 100x30 all keys are told, each text whole`() {
    _ = help.handle(.character("?"))
    var canvas = Canvas(size: CellSize(columns: 100, rows: 30))
    help.draw(into: &canvas)
    #expect(!canvas.text.contains("…") && !canvas.text.contains("more"))
    #expect(!canvas.text.contains("Save a card") && canvas.text.contains("Remove all"))
    type("card")
    #expect(help.entries.contains { $0.command == .picture(.shareCard) })
    let longest =
      (KeyTable.standard.bindings.map(\.help) + Picking.helpTexts.values)
      .map(\.columns).max() ?? 0
    #expect(longest <= 36)
  }

  @Test(arguments: [
    ("wallpaper", "Scripting.md"), ("import", "panda import"), ("rename", "caption"),
    ("theme", "panda-config"), ("settings", "panda config"), ("print", "panda show"),
  ])
  mutating func `what the shell does is found by its word`(_ word: String, _ place: String) {
    type(word)
    var canvas = Canvas(size: CellSize(columns: 100, rows: 30))
    help.draw(into: &canvas)
    #expect(canvas.text.contains(place))
  }

  @Test mutating func `matches by name rank above matches by synonym`() {
    help = HelpDialog(.standard, texts: [.favorites(.favorite): "Restore the picture"]) { _ in nil }
    type("restore")
    #expect(
      help.entries.map(\.command) == [.favorites(.favorite), .favorites(.undo), .favorites(.trash)])
    #expect(help.handle(.enter) == .perform(.favorites(.favorite)))
  }

  @Test mutating func `commands are in named groups, which typing hides`() throws {
    var canvas = Canvas(size: CellSize(columns: 98, rows: 60))
    _ = help.handle(.character("?"))
    help.draw(into: &canvas)
    let lines = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = try CommandEntry.HelpGroup.allCases.map { group in
      try #require(lines.firstIndex { $0.contains(group.rawValue) })
    }
    #expect(rows == rows.sorted())
    // A click on a name chooses nothing.
    let before = help.selected
    let click = MouseEvent(.press(.left), column: 30, row: rows[1])
    #expect(help.handle(click) == .stay && help.selected == before)
    // At the top of a low screen the name is above the first of its group.
    for _ in 0..<60 { _ = help.handle(.down) }
    canvas = Canvas(size: CellSize(columns: 98, rows: 14))
    help.draw(into: &canvas)
    #expect(!canvas.text.contains(CommandEntry.HelpGroup.panda.rawValue))
    for _ in 0..<60 { _ = help.handle(.up) }
    help.draw(into: &canvas)
    #expect(canvas.text.contains(CommandEntry.HelpGroup.panda.rawValue))
    type("panda")
    canvas = Canvas(size: CellSize(columns: 98, rows: 60))
    help.draw(into: &canvas)
    #expect(!canvas.text.contains(CommandEntry.HelpGroup.panda.rawValue))
  }
}

@Suite struct TextDialogTests {
  private func dialog(_ count: Int) -> TextDialog {
    TextDialog(
      title: "Details",
      lines: (1...count).map { TextDialog.Line(label: "line", text: "number \($0)") })
  }

  @Test func `scrolling reaches the last line and stops there`() {
    var dialog = dialog(30)
    for key in [Key.end, .down, .pageDown, .character("j")] {
      _ = dialog.handle(key, keys: .standard)
    }
    var canvas = Canvas(size: CellSize(columns: 40, rows: 10))
    dialog.draw(into: &canvas)
    #expect(canvas.text.contains("number 30"))
    _ = dialog.handle(.up, keys: .standard)
    canvas = Canvas(size: CellSize(columns: 40, rows: 10))
    dialog.draw(into: &canvas)
    #expect(!canvas.text.contains("number 30") && canvas.text.contains("number 29"))
  }

  @Test func `labels are above their texts where both would be short`() {
    var dialog = dialog(2)
    var canvas = Canvas(size: CellSize(columns: 20, rows: 8))
    dialog.draw(into: &canvas)
    let rows = canvas.text.split(separator: "\n")
    #expect(rows.contains { $0.contains(" line ") && !$0.contains("number") })
    #expect(rows.contains { $0.contains("  number 1 ") })
  }

  @Test func `long texts are wrapped, addresses too`() {
    let address = "https://a.example/" + String(repeating: "x", count: 200)
    var dialog = TextDialog(
      title: "Details",
      lines: [
        .init(label: "address", text: address), .init(label: "caption", text: "one two three"),
      ])
    var canvas = Canvas(size: CellSize(columns: 60, rows: 20))
    dialog.draw(into: &canvas)
    let shown = canvas.text.split(separator: "\n").joined()
    #expect(shown.filter { $0 == "x" }.count == 201, "all of it, and the x of example")
    #expect(canvas.text.contains("one two three"))
  }

  @Test(arguments: [Key.escape, .enter, .character("q"), .character("i"), .character("?")])
  func `the key that opened the dialog closes it, as do other likely keys`(_ key: Key) {
    var dialog = dialog(3)
    #expect(dialog.handle(key, keys: .standard) == .close)
  }
}

@Suite struct InputDialogTests {
  func dialog() -> InputDialog {
    InputDialog(title: "Save", note: "", field: TextField("name")) { _, _ in }
  }

  @Test func `a save in progress is not repeated, and the dialog can be closed`() {
    var dialog = dialog()
    var outcomes = [dialog.handle(.enter)]
    dialog.isSaving = true
    outcomes += [dialog.handle(.enter), dialog.handle(.escape)]
    #expect(outcomes == [.submit("name"), .stay, .close])
  }
}

@Suite struct DialogSizeTests {
  @Test(arguments: [(0, 0), (1, 1), (3, 2), (5, 3), (20, 6), (400, 120)])
  func `every dialog can be drawn at any size`(_ columns: Int, _ rows: Int) {
    var dialogs: [Dialog] = [
      .help(HelpDialog(.standard) { _ in "no" }),
      .confirm(ConfirmDialog(title: "Clear", question: "Remove?", note: "Rest") {}),
      .text(TextDialog(title: "T", lines: [.init(label: "a", text: "b c d")])),
      .input(
        InputDialog(title: "Caption", note: "note", field: TextField("レッサーパンダ")) { _, _ in }),
    ]
    for index in dialogs.indices {
      var canvas = Canvas(size: CellSize(columns: columns, rows: rows))
      dialogs[index].draw(into: &canvas)
      #expect(canvas.rows.count == rows)
      _ = dialogs[index].handle(MouseEvent(.press(.left), column: 0, row: 0))
      _ = dialogs[index].handle(.down, keys: .standard)
    }
  }
}
