import Testing

@testable import PandaTUI
@testable import TerminalKit

@Suite struct CountPrefixTests {
  @Test func `digits make a count, and 0 begins none`() {
    var count = CountPrefix()
    let keys: [Key] = ["0", "1", "0", "x", "٣"].map { .character($0) } + [.right]
    var taken: [Bool] = []
    for key in keys { taken.append(count.take(key)) }
    #expect(taken == [false, true, true, false, false, false])
    let counts = [count.end(), count.end()]
    #expect(counts == [10, nil])
  }

  @Test func `a cat on the keyboard cannot overflow it`() {
    var count = CountPrefix()
    for _ in 0..<50 { _ = count.take(.character("9")) }
    let end = count.end()
    #expect(end == CountPrefix.limit)
  }
}

@Suite struct ClickCounterTests {
  let here = CellPoint(column: 5, row: 5)

  @Test func `two clicks at one place within 0.4 seconds are a double click, three are not two`() {
    var clicks = ClickCounter()
    let doubles = [0, 300, 500].map { clicks.isDouble(here, at: .milliseconds($0)) }
    #expect(doubles == [false, true, false])
  }

  @Test func `slow clicks, and clicks elsewhere, are single ones`() {
    var clicks = ClickCounter()
    let elsewhere = CellPoint(column: 9, row: 5)
    let doubles = [
      clicks.isDouble(here, at: .zero), clicks.isDouble(here, at: .milliseconds(401)),
      clicks.isDouble(elsewhere, at: .milliseconds(500)),
    ]
    #expect(doubles == [false, false, false])
  }

  @Test func `a click on another picture that came to the place is the first one on it`() {
    var clicks = ClickCounter()
    let doubles = ["a", "b", "b"].enumerated().map { number, picture in
      clicks.isDouble(here, on: picture, at: .milliseconds(100 * number))
    }
    #expect(doubles == [false, false, true])
  }
}
