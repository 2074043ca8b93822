import Testing

@testable import PandaTUI

@Suite struct HintBarTests {
  let table = KeyTable.standard

  @Test func `a wide bar shows all hints in the order of the table`() {
    let texts = HintBar(table).fitting(500).map(\.text)
    #expect(texts == table.bindings.compactMap(\.hint))
  }

  @Test func `as it gets narrower, the least important go first`() {
    var former = Set(HintBar(table).fitting(500))
    for columns in stride(from: 200, through: 0, by: -1) {
      let bar = HintBar(table)
      let fitting = bar.fitting(columns)
      let width = fitting.map(\.columns).reduce(0, +) + max(0, fitting.count - 1) * HintBar.gap
      #expect(width <= columns)
      #expect(Set(fitting).isSubset(of: former))
      former = Set(fitting)
    }
    #expect(former.isEmpty)
    #expect(HintBar(table).fitting(9).map(\.text) == ["fetch"])
  }

  @Test func `the situation can give a key other words, or none`() {
    let bar = HintBar(table, words: [.favorite: "view favorite", .clear: ""])
    #expect(bar.hints.contains { $0.text == "view favorite" })
    #expect(!bar.hints.contains { $0.text == "clear" })
  }
}
