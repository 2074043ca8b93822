import Testing

@testable import PandaTUI
@testable import TerminalKit

@Suite struct TextFieldTests {
  private func typed(_ keys: [Key], into text: String = "") -> TextField {
    var field = TextField(text)
    for key in keys { _ = field.handle(key) }
    return field
  }

  private func keys(_ text: String) -> [Key] {
    text.unicodeScalars.map { .character(Character($0)) }
  }

  @Test func `typed text is inserted at the cursor`() {
    let field = typed(keys("pnda") + [.left, .left, .left] + keys("a"))
    #expect(field.text == "panda")
    #expect(field.cursor == 2)
  }

  @Test func `a combining mark typed separately joins the letter before it`() {
    let field = typed(keys("e\u{301}x") + [.backspace, .backspace])
    #expect(field.text.isEmpty)
    #expect(typed(keys("e\u{301}")).text.count == 1)
  }

  @Test(arguments: [
    ([Key.control("w")], "sleepy red "), ([.alt("b"), .control("k")], "sleepy red "),
    ([.control("a"), .control("k")], ""), ([.control("u")], ""),
    ([.home, .delete], "leepy red panda"), ([.control("a"), .alt("d")], " red panda"),
    ([.modified(.control, .left), .control("u")], "panda"),
  ])
  func `words and ends are reached as in a shell`(_ keys: [Key], _ rest: String) {
    #expect(typed(keys, into: "sleepy red panda").text == rest)
  }

  @Test func `nothing happens at the ends, and other keys are not understood`() {
    var field = TextField("ab")
    #expect(field.handle(.right) && field.handle(.delete))
    #expect(field.text == "ab")
    #expect(!field.handle(.up) && !field.handle(.function(3)) && !field.handle(.enter))
  }

  @Test func `a paste is one line without control characters, and no longer than allowed`() {
    var field = TextField("", limit: 10)
    field.paste("a\nb\u{1B}[31m\tc")
    #expect(field.text == "a b[31m c")
    #expect(field.cutNotice == nil)
    field.paste("too long")
    #expect(field.text == "a b[31m ct")
    #expect(field.cutNotice == "Not all of it fits: 10 characters at most")
  }

  @Test func `a long paste is truncated at the limit, with a notice`() {
    var field = TextField("ab", limit: 500)
    _ = field.handle(.left)
    field.paste(String(repeating: "0123456789", count: 1_000))
    #expect(field.text.count == 500)
    #expect(field.text.hasPrefix("a0123") && field.text.hasSuffix("567b"))
    #expect(field.cursor == 499)
    #expect(field.wasCut)
    _ = field.handle(.backspace)
    #expect(!field.wasCut)
    _ = field.handle(.character("x"))
    #expect(!field.wasCut && field.text.count == 500)
    _ = field.handle(.character("y"))
    #expect(field.wasCut && field.text.count == 500)
  }

  @Test func `markers show that there is more text before and after`() {
    Screen.useLocale()
    var field = TextField("0123456789abcdef")
    func shown() -> String {
      var canvas = Canvas(size: CellSize(columns: 8, rows: 1))
      field.draw(at: CellPoint(column: 0, row: 0), columns: 8, into: &canvas)
      return canvas.rows[0].map(\.text).joined()
    }
    #expect(shown() == "…abcdef ")
    for _ in 0..<4 { _ = field.handle(.left) }
    #expect(shown() == "…789abc…")
    _ = field.handle(.home)
    #expect(shown() == "0123456…")
    for _ in 0..<8 { _ = field.handle(.delete) }
    #expect(shown() == "89abcdef")
  }

  @Test(arguments: ["panda", "レッサーパンダの写真です", "👩‍👩‍👧🇩🇪e\u{301}", "בָּדִיקָה", "a\u{1B}[2Jb"])
  func `the cursor is visible at any width, and columns stay aligned`(_ text: String) {
    Screen.useLocale()
    for columns in 1...20 {
      var field = TextField(text)
      for _ in 0...text.count {
        var canvas = Canvas(size: CellSize(columns: 22, rows: 1))
        field.draw(at: CellPoint(column: 1, row: 0), columns: columns, into: &canvas)
        let row = canvas.rows[0]
        // A character of two columns does not fit into one.
        if columns > 2 { #expect(canvas.cursor.map { (1...columns).contains($0.column) } == true) }
        #expect(row[0] == .blank && row[(1 + columns)...].allSatisfy { $0 == .blank })
        _ = field.handle(.left)
      }
    }
  }
}
