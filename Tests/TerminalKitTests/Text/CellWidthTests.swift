internal import Glibc
internal import Testing

@testable import TerminalKit

/// Widths in a UTF-8 locale, which the program sets at its start.
struct CellWidthTests {
  init() {
    // Debian has it always. Every test here sets the same one.
    #expect(setlocale(LC_CTYPE, "C.UTF-8") != nil)
  }

  @Test(
    "Columns are those of wcwidth, scalar by scalar, and two for an emoji sequence",
    arguments: [
      ("", 0), ("panda", 5), ("小熊猫", 6), ("レッサー", 8), ("ﾚｯｻｰ", 4), ("한글", 4),
      ("e\u{301}", 1), ("é", 1), ("🐼", 2), ("🇯🇵", 2), ("👍🏽", 2), ("❤", 1), ("❤\u{FE0F}", 2),
      ("👨\u{200D}👩\u{200D}👧", 2), ("דוב", 3), ("عربي", 4), ("ไฟ้", 2), ("…", 1), ("\u{A0}", 1),
      ("\u{3000}", 2), ("★", 1),
    ])
  func columns(_ text: String, expected: Int) {
    #expect(text.columns == expected)
  }

  @Test(
    "Clipping keeps whole characters and never exceeds the columns",
    arguments: [
      ("panda", 5, "panda"), ("panda", 4, "pan…"), ("panda", 1, "…"), ("panda", 0, ""),
      ("panda", -3, ""), ("小熊猫", 6, "小熊猫"), ("小熊猫", 5, "小熊…"), ("小熊猫", 4, "小…"),
      ("小熊猫", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("🇯🇵🇯🇵", 3, "🇯🇵…"), ("", 3, ""),
    ])
  func clipping(_ text: String, columns: Int, expected: String) {
    #expect(text.clipped(to: columns) == expected)
  }

  @Test("An ellipsis that does not fit is left out")
  func ellipsis() {
    #expect("panda".clipped(to: 2, ellipsis: "...") == "pa")
    #expect("panda".clipped(to: 4, ellipsis: "...") == "p...")
    #expect("panda".clipped(to: 3, ellipsis: "") == "pan")
  }

  @Test("Padded text is exactly as wide as its field")
  func padding() {
    #expect("小熊".padded(to: 6) == "小熊  ")
    #expect("小熊".padded(to: 6, alignment: .trailing) == "  小熊")
    #expect("ab".padded(to: 5, alignment: .center) == " ab  ")
    #expect("小熊猫".padded(to: 4) == "小… ")
    for columns in 0...12 {
      for text in ["panda", "小熊猫 panda", "🐼🐼🐼", "e\u{301}🇯🇵é"] {
        #expect(text.padded(to: columns).columns == columns)
      }
    }
  }

  @Test(
    "Drawable text has no sequences that terminals disagree about",
    arguments: [
      ("panda", "panda", 5), ("👨\u{200D}👩\u{200D}👧!", "👨!", 3), ("👍🏽", "👍", 2),
      ("❤\u{FE0F}", "❤ ", 2), ("🏳\u{FE0F}\u{200D}🌈", "🏳 ", 2), ("🇯🇵", "🇯🇵", 2),
      ("e\u{301}", "e\u{301}", 1), ("🏽", "🏽", 2), ("小熊", "小熊", 4),
      ("1\u{FE0F}\u{20E3}", "1\u{20E3}", 1), ("☝🏽", "☝", 1), ("👩🏽\u{200D}🚀", "👩", 2),
      ("🏴\u{200D}☠\u{FE0F}", "🏴", 2), ("👨\u{301}", "👨\u{301}", 2),
      ("a" + String(repeating: "\u{301}", count: 9), "a\u{301}\u{301}\u{301}\u{301}", 1),
      ("\u{10FFFF}x", "\u{FFFD}x", 2),
    ])
  func drawable(_ text: String, expected: String, columns: Int) {
    #expect(text.drawable.unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(text.drawable.columns == columns)
  }
}
