import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

@Suite struct HintBarTests {
  let table = KeyTable.standard
  let card: [(command: Command, text: String)] = [
    (.card(.fetch), "another"), (.favorites(.favorite), "keep"), (.view(.nextPane), "favorites"),
    (.program(.help), "help"), (.program(.quit), "quit"),
  ]

  @Test func `a wide bar shows all hints in their order`() {
    let hints = HintBar(table, card).fitting(80)
    #expect(hints.map(\.text) == ["another", "keep", "favorites", "help", "quit"])
    #expect(hints.map(\.key) == ["f", "space", "tab", "?", "q"])
  }

  @Test func `a narrowing bar loses words first, then its last hints, but never the way out`() {
    let bar = HintBar(table, card)
    for columns in 0...80 {
      let fitting = bar.fitting(columns)
      let width = fitting.map(\.columns).reduce(0, +) + max(0, fitting.count - 1) * HintBar.gap
      #expect(width <= columns)
      if columns >= 4 {
        #expect(fitting.contains { $0.command == .program(.help) }, "\(columns)")
        #expect(fitting.contains { $0.command == .program(.quit) }, "\(columns)")
      }
    }
    #expect(bar.fitting(0).isEmpty)
    #expect(bar.fitting(18).map(\.key) == ["f", "space", "?", "q"])
    #expect(bar.fitting(42).map(\.text) == ["another", "keep", "", "help", "quit"])
  }

  @Test func `urgent hints outlast earlier ones`() {
    let bar = HintBar(table, card + [(.program(.cancel), "back")], urgent: [.program(.cancel)])
    #expect(bar.fitting(20).map(\.key) == ["f", "space", "?", "q", "esc"])
  }

  @Test func `in a dialog each hint has its key as long as there is room`() {
    let hints = [("enter", "run"), ("↑↓", "select"), ("esc", "close")].map {
      HintBar.Hint(key: $0.0, text: $0.1, command: nil)
    }
    let fitting = HintBar(hints).fitting(18)
    #expect(fitting.map(\.key) == ["enter", "↑↓", "esc"])
    #expect(fitting.map(\.text) == ["run", "", ""])
  }

  @Test func `only unavailable commands are dim`() {
    let bar = HintBar(table, card) { $0 != .view(.nextPane) }
    var canvas = Canvas(size: CellSize(columns: 120, rows: 1))
    bar.draw(in: CellRect(column: 0, row: 0, columns: 120, rows: 1), into: &canvas)
    func ink(of word: String) -> Ink? {
      let text = canvas.rows[0].map(\.text).joined()
      return text.firstRange(of: word).map {
        canvas.rows[0][text.distance(from: text.startIndex, to: $0.lowerBound)].ink
      }
    }
    #expect(ink(of: "tab") == .dim && ink(of: "favorites") == .dim)
    #expect(ink(of: "space") == .key && ink(of: "keep") == .plain)
  }

  @Test func `a command without a key has no hint`() {
    let rebound = table.rebound([.favorites(.favorite): []]).table
    #expect(HintBar(rebound, card).hints.map(\.text) == ["another", "favorites", "help", "quit"])
  }
}
