internal import PandaTestSupport
internal import Testing

@testable import SystemSupport

struct SanitizerTests {
  @Test(
    "Characters that occupy cells stay, harmful ones go",
    arguments: [
      ("Red panda", "Red panda"), ("小熊猫 レッサーパンダ", "小熊猫 レッサーパンダ"),
      ("cafe\u{301} Zoë", "cafe\u{301} Zoë"), ("דוב אדום", "דוב אדום"), ("ไฟ้", "ไฟ้"),
      ("red\u{1B}[31mder", "red[31mder"), ("\u{1B}]0;title\u{7}", "]0;title"),
      ("\u{9B}31m\u{90}q\u{9C}", "31mq"), ("a\u{0}b\u{7F}c\u{8}d", "abcd"),
      ("one\ttwo\r\nthree\n\n\nfour\u{2028}five\u{85}six", "one two three four five six"),
      ("\u{A0}a\u{2003}b\u{3000}c", " a b\u{3000}c"),
      ("abc\u{202E}fed\u{202C}\u{2066}x\u{2069}\u{200F}\u{61C}", "abcfedx"),
      ("a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e\u{200C}f\u{200D}g", "abcdefg"),
      ("tag\u{E0041}\u{E007F}s", "tags"), ("\u{E000}\u{10EEEE}\u{305}x", "x"),
      ("\u{378}\u{E01F0}x", "x"), ("\u{3164}\u{115F}\u{FFA0}\u{034F}x", "x"),
      ("\u{301}\u{20DD}x", "x"), ("a\n\u{301}b", "a b"),
      ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("❤\u{FE0F}", "❤\u{FE0F}"),
      ("🏳\u{FE0F}\u{200D}🌈", "🏳\u{FE0F}\u{200D}🌈"),
      ("👩🏽\u{200D}🚀", "👩🏽\u{200D}🚀"), ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
      ("🇯🇵", "🇯🇵"), ("👍🏽", "👍🏽"), ("🐼\u{200D}", "🐼"), ("🐼\u{200D}x", "🐼x"),
      ("x\u{FE0F}\u{FE0E}", "x"), ("🐼\u{200D}\u{200B}🐼", "🐼\u{200D}🐼"), ("", ""),
    ])
  func table(_ text: String, expected: String) {
    #expect(text.sanitized().unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test("No scalar at all makes a control character, a mark at the front, or anything invisible")
  func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = UnicodeScalar(value) else { continue }
      let clean = String(Character(scalar)).sanitized()
      for kept in clean.unicodeScalars {
        let category = kept.properties.generalCategory
        let isHarmful =
          switch category {
          case .control, .format, .privateUse, .unassigned, .surrogate, .lineSeparator,
            .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            true
          default: kept.properties.isDefaultIgnorableCodePoint
          }
        if isHarmful { Issue.record("U+\(String(value, radix: 16)) became \(kept.value)") }
      }
    }
  }

  @Test("Text is cut to the limit, between characters")
  func limit() {
    #expect("abc".sanitized(upTo: 2) == "ab")
    #expect("👩🏽\u{200D}🚀👩🏽\u{200D}🚀".sanitized(upTo: 1) == "👩🏽\u{200D}🚀")
    // Half a flag is not joined to what is before it, so the limit comes between them.
    #expect("🏳\u{FE0F}\u{200D}\u{1F1E9}".sanitized(upTo: 1) == "🏳\u{FE0F}")
    #expect("abc".sanitized(upTo: 0).isEmpty)
    #expect("abc".sanitized(upTo: -1).isEmpty)
    #expect("abc".sanitized(upTo: .max) == "abc")
  }

  @Test("A million marks on one letter, or on none, take little time")
  func hostileLength() {
    let marks = "a" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(marks.sanitized(upTo: 10).unicodeScalars.count == 1 + Sanitizer.marksPerBase)
    let nothing = String(repeating: "\u{200B}", count: 1_000_000) + "x"
    #expect(nothing.sanitized(upTo: 10).isEmpty)
    let joined = "👨" + String(repeating: "\u{200D}👨", count: 1000)
    #expect(joined.sanitized(upTo: 10).unicodeScalars.count <= 10 * Sanitizer.scalarsPerCharacter)
  }

  @Test(
    "fault 64: a base keeps four combining marks",
    arguments: [
      ("a" + marks(4), "a" + marks(4)), ("a" + marks(5) + "b", "a" + marks(4) + "b"),
      ("a" + marks(9) + "b" + marks(9), "a" + marks(4) + "b" + marks(4)),
      // A family has more joiners than that, and a keycap and a skin tone are no stack of marks.
      ("👩🏽\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👩🏻", "👩🏽\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👩🏻"),
      ("🐼" + marks(9), "🐼" + marks(4)), ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
      // The tallest stacks of Hebrew with cantillation and of Tibetan stay whole.
      ("ש\u{5C1}\u{5B8}\u{591}\u{5BD}", "ש\u{5C1}\u{5B8}\u{591}\u{5BD}"),
      ("ཧ\u{F71}\u{F74}\u{F83}", "ཧ\u{F71}\u{F74}\u{F83}"),
    ])
  func marksOfOneBase(_ text: String, expected: String) {
    #expect(text.sanitized().unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  private static func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

  @Test("Sanitized text is its own sanitized form")
  func stable() {
    var random = SplitMix64(seed: 64)
    for _ in 0..<2000 {
      let pool: [ClosedRange<UInt32>] = [
        0x00...0x7F, 0x80...0x2FF, 0x300...0x36F, 0x2000...0x206F, 0xFE00...0xFE0F,
        0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0x1F400...0x1F4FF, 0xE0000...0xE007F,
      ]
      var text = String.UnicodeScalarView()
      for _ in 0..<20 {
        guard let range = pool.randomElement(using: &random) else { continue }
        text.append(UnicodeScalar(UInt32.random(in: range, using: &random)) ?? "x")
      }
      let once = String(text).sanitized()
      #expect(once.sanitized() == once)
    }
  }
}
