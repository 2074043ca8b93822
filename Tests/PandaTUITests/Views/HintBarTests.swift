import Testing

@testable import PandaTUI
@testable import TerminalKit

@Suite struct HintBarTests {
  let table = KeyTable.standard

  @Test func `a wide bar shows all hints in the order of the table`() {
    let texts = HintBar(table).fitting(500).map(\.text)
    #expect(texts == table.bindings.compactMap(\.hint))
  }

  @Test func `a narrowing bar drops a hint only to make room for more important ones`() {
    let bar = HintBar(table)
    for columns in 0...200 {
      let fitting = bar.fitting(columns)
      let width = fitting.map(\.columns).reduce(0, +) + max(0, fitting.count - 1) * HintBar.gap
      #expect(width <= columns)
      for hint in bar.hints where !fitting.contains(where: { $0.command == hint.command }) {
        let kept = fitting.filter { $0.isEssential || $0.importance < hint.importance }
        let needed = kept.map { $0.columns + HintBar.gap }.reduce(0, +) + hint.withoutText.columns
        let room = columns - (hint.isEssential ? 0 : hint.columns - hint.withoutText.columns)
        #expect(needed > room, "\(hint.text) at \(columns)")
      }
    }
    #expect(bar.fitting(0).isEmpty)
    #expect(bar.fitting(18).map(\.key) == ["f", "?", "q"])
    #expect(bar.fitting(23).map(\.text) == ["fetch", "help", "quit"])
  }

  @Test func `the keys for help and quitting stay, whatever else is urgent`() {
    for columns in 4...120 {
      for urgent: Set<Command> in [
        [], [.favorites(.show), .program(.cancel)], [.program(.problem)],
      ] {
        let words: [Command: String] = [
          .favorites(.favorite): "view favorite", .program(.problem): "why",
        ]
        let fitting = HintBar(table, words: words, urgent: urgent).fitting(columns)
        #expect(fitting.contains { $0.command == .program(.help) }, "\(columns)")
        #expect(fitting.contains { $0.command == .program(.quit) }, "\(columns)")
      }
    }
    // The last columns of a terminal with 40.
    #expect(HintBar(table).fitting(39).map(\.text) == ["fetch", "favorite", "help", "quit"])
  }

  @Test func `the context can change a key's hint, or remove it`() {
    let bar = HintBar(
      table, words: [.favorites(.favorite): "view favorite", .favorites(.clear): ""])
    #expect(bar.hints.contains { $0.text == "view favorite" })
    #expect(!bar.hints.contains { $0.text == "clear" })
  }

  @Test func `in a dialog each hint has its key as long as there is room`() {
    let hints = [("enter", "run"), ("↑↓", "select"), ("esc", "close")].enumerated().map {
      HintBar.Hint(key: $1.0, text: $1.1, importance: $0, command: nil)
    }
    let fitting = HintBar(hints).fitting(18)
    #expect(fitting.map(\.key) == ["enter", "↑↓", "esc"])
    #expect(fitting.map(\.text) == ["run", "", ""])
  }

  @Test func `prominent hints stand out, and are dropped last`() {
    let bar = HintBar(table, prominent: [.favorites(.undo), .favorites(.filter)])
    #expect(bar.fitting(36).map(\.text) == ["undo", "filter", "help", "quit"])
    var canvas = Canvas(size: CellSize(columns: 120, rows: 1))
    bar.draw(in: CellRect(column: 0, row: 0, columns: 120, rows: 1), into: &canvas)
    func ink(of word: String) -> Ink? {
      let text = canvas.rows[0].map(\.text).joined()
      return text.firstRange(of: word).map {
        canvas.rows[0][text.distance(from: text.startIndex, to: $0.lowerBound)].ink
      }
    }
    #expect(ink(of: "undo") == .plain && ink(of: "filter") == .plain)
    #expect(ink(of: "fetch") == .dim)
  }
}
