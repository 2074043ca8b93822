import Testing

@testable import PandaTUI

@Suite struct HintBarTests {
  let table = KeyTable.standard

  @Test func `a wide bar shows all hints in the order of the table`() {
    let texts = HintBar(table).fitting(500).map(\.text)
    #expect(texts == table.bindings.compactMap(\.hint))
  }

  @Test func `as it gets narrower, a hint goes only for want of room beside more important ones`() {
    let bar = HintBar(table)
    for columns in 0...200 {
      let fitting = bar.fitting(columns)
      let width = fitting.map(\.columns).reduce(0, +) + max(0, fitting.count - 1) * HintBar.gap
      #expect(width <= columns)
      for hint in bar.hints where !fitting.contains(hint) {
        let kept = fitting.filter { $0.importance < hint.importance }
        let needed = kept.map { $0.columns + HintBar.gap }.reduce(0, +) + hint.columns
        #expect(needed > columns, "\(hint.text) at \(columns)")
      }
    }
    #expect(bar.fitting(0).isEmpty)
    #expect(bar.fitting(9).map(\.text) == ["fetch"])
    #expect(bar.fitting(18).map(\.text) == ["fetch", "quit"])
  }

  @Test func `the situation can give a key other words, or none`() {
    let bar = HintBar(table, words: [.favorite: "view favorite", .clear: ""])
    #expect(bar.hints.contains { $0.text == "view favorite" })
    #expect(!bar.hints.contains { $0.text == "clear" })
  }
}
