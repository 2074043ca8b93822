import Testing

@testable import TerminalKit

@Suite struct WrappingTests {
  @Test(
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("abcdef", 4, ["abcd", "ef"]), ("", 5, [""]),
      ("a 熊猫熊猫 b", 5, ["a", "熊猫", "熊猫", "b"]),
    ] as [(String, Int, [String])])
  func `text breaks between words, and long words at the end of the line`(
    text: String, columns: Int, lines: [String]
  ) {
    #expect(text.wrapped(to: columns) == lines)
  }

  @Test func `a character wider than a line has a line of its own`() {
    #expect("熊ab".wrapped(to: 1) == ["熊", "a", "b"])
    // Hangul letters that Unicode takes for one character.
    #expect("\u{1112}\u{1106}xy".wrapped(to: 2) == ["\u{1112}\u{1106}", "xy"])
  }
}
