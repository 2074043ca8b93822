internal import Testing

@testable import TerminalKit

@Suite struct SpellingTests {
  let words = ["fetch", "favorite", "left", "mouse", "up"]

  @Test(arguments: [
    ("fetsh", "fetch"), ("fecth", "fetch"), ("Fetch", "fetch"), ("fetchh", "fetch"),
    ("favourite", "favorite"), ("mose", "mouse"), ("lefft", "left"),
  ])
  func `a close word is found`(_ word: String, _ expected: String) {
    #expect(Spelling.nearest(to: word, among: words) == expected)
  }

  @Test(arguments: ["", "x", "fish", "house mouse", String(repeating: "f", count: 1_000_000)])
  func `a distant word is not found`(_ word: String) {
    #expect(Spelling.nearest(to: word, among: words) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3),
  ])
  func `edits are counted`(_ first: String, _ second: String, _ distance: Int) {
    #expect(Spelling.distance(first, second) == distance)
  }
}
