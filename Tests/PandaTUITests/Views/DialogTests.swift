import Testing

@testable import PandaTUI

@Suite struct DialogTests {
  let keys = KeyTable.standard
  let question = Dialog.clear(count: 12, answersYes: false)

  @Test(arguments: [Key.enter, .escape, .character("n"), .character("N"), .character("q")])
  func `clearing is not done by whoever does not say yes`(_ key: Key) {
    #expect(question.handle(key, keys: keys) == .close)
  }

  @Test(arguments: [Key.character("y"), .character("Y")])
  func `y clears`(_ key: Key) {
    #expect(question.handle(key, keys: keys) == .clear)
  }

  @Test func `the arrows choose, and enter takes the choice`() {
    let yes = Dialog.clear(count: 12, answersYes: true)
    #expect(question.handle(.right, keys: keys) == .stay(yes))
    #expect(yes.handle(.enter, keys: keys) == .clear)
    #expect(yes.handle(.left, keys: keys) == .stay(question))
  }

  @Test(arguments: [Key.character("x"), .character(" "), .character("C"), .delete, .function(1)])
  func `other keys change nothing`(_ key: Key) {
    #expect(question.handle(key, keys: keys) == .stay(question))
  }

  @Test func `the question names the count`() {
    var canvas = Canvas(size: CellSize(columns: 60, rows: 12))
    question.draw(keys: keys, into: &canvas)
    #expect(canvas.text.contains("Remove all 12 favorites?"))
    canvas = Canvas(size: CellSize(columns: 60, rows: 12))
    Dialog.clear(count: 1, answersYes: false).draw(keys: keys, into: &canvas)
    #expect(canvas.text.contains("Remove your 1 favorite?"))
  }

  @Test func `the help lists every command with its keys, and scrolls where it does not fit`() {
    var canvas = Canvas(size: CellSize(columns: 100, rows: 40))
    Dialog.help(firstLine: 0).draw(keys: keys, into: &canvas)
    for binding in keys.bindings {
      #expect(canvas.text.contains(binding.help))
    }
    canvas = Canvas(size: CellSize(columns: 100, rows: 8))
    Dialog.help(firstLine: 0).draw(keys: keys, into: &canvas)
    #expect(canvas.text.contains("more"))
    #expect(!canvas.text.contains("Quit"))
    canvas = Canvas(size: CellSize(columns: 100, rows: 8))
    Dialog.help(firstLine: 99).draw(keys: keys, into: &canvas)
    #expect(canvas.text.contains("Quit"))
    #expect(
      Dialog.help(firstLine: 0).handle(.down, keys: keys) == .stay(.help(firstLine: 1)))
    #expect(Dialog.help(firstLine: 0).handle(.up, keys: keys) == .stay(.help(firstLine: 0)))
    #expect(Dialog.help(firstLine: 3).handle(.escape, keys: keys) == .close)
  }

  @Test(arguments: [(1, 1), (3, 2), (20, 6), (0, 0)])
  func `a dialog can be drawn at any size`(_ columns: Int, _ rows: Int) {
    var canvas = Canvas(size: CellSize(columns: columns, rows: rows))
    question.draw(keys: keys, into: &canvas)
    Dialog.help(firstLine: 0).draw(keys: keys, into: &canvas)
    #expect(canvas.rows.count == rows)
  }
}
