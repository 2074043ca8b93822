/// Text that someone could put into a title, a caption, a tag or a file name.
public enum HostileText {
  /// Hundreds of them, all different.
  public static let all: [String] = {
    let parts = controls + invisible + wide + marks + syntax
    let framed = parts.flatMap { [$0, "Red \($0) panda", "\($0)\($0)", "Panda\($0)"] }
    var seen: Set<[UInt8]> = []
    return framed.filter { seen.insert(Array($0.utf8)).inserted }
  }()

  /// Whether a text could steer a terminal: it has control characters or what reorders text.
  public static func steers(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  private static let controls = [
    "\u{1B}[31m", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;owned\u{7}", "\u{1B}]52;c;cXE=\u{1B}\\",
    "\u{1B}_Ga=T,f=24;AAAA\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}c", "\u{1B}[?1049l",
    "\u{9B}31m",
    "\u{90}q\u{9C}", "\u{0}", "\u{7}", "\u{8}\u{8}\u{8}", "\u{7F}", "\t", "\n", "\r", "\r\n",
    "\u{B}\u{C}", "\u{E}\u{F}", "\u{85}", "\u{2028}", "\u{2029}",
  ]

  private static let invisible = [
    "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}", "\u{3164}",
    "\u{115F}", "\u{202E}gnp.adnap", "\u{202A}\u{202B}\u{202C}\u{202D}", "\u{2066}\u{2067}\u{2069}",
    "\u{200E}\u{200F}\u{61C}", "\u{E0041}\u{E007F}", "\u{E000}", "\u{10EEEE}", "\u{FFFE}",
    "\u{FFFF}",
    "\u{10FFFF}", "\u{378}", "\u{FFFD}", "\u{FE0F}", "\u{FE0E}", "\u{E0100}", "\u{A0}", "\u{3000}",
    "\u{2003}", " ",
  ]

  private static let wide = [
    "レッサーパンダ", "ﾚｯｻｰ", "小熊猫", "한글", "\u{1112}\u{1161}\u{11AB}", "🐼", "🇯🇵", "🇯", "👍🏽", "🏽",
    "❤\u{FE0F}",
    "👨\u{200D}👩\u{200D}👧\u{200D}👦", "👩🏽\u{200D}🚀", "🏳\u{FE0F}\u{200D}🌈", "1\u{FE0F}\u{20E3}", "…①─│",
    "𓃠", "𝔓",
    "ﷺ", "꧅", "שלום פנדה", "الباندا", "ไฟ้", "ผ้าแดง", "नमस्ते", "ཧཱུྃ",
  ]

  private static let marks = [
    "\u{301}", "e\u{301}", "é", "e\u{301}\u{302}\u{303}\u{304}\u{305}",
    "ש\u{5C1}\u{5B8}\u{591}\u{5BD}",
    "Z" + String(repeating: "\u{363}", count: 50), String(repeating: "\u{489}", count: 200),
    "\u{20DD}", "i\u{307}", "İ", "\u{212B}", "\u{C5}", "A\u{30A}",
  ]

  private static let syntax = [
    "'); DROP TABLE item; --", "\"}],\"url\":null", "\\", "\\u0000", "%s%n%x", "$(reboot)",
    "`reboot`",
    "--help", "-rf", "~", "*", "<script>alert(1)</script>", "&amp;&#x1B;", "#tag,#tag", "NULL",
    "nil",
    "NaN", "1e999", "..", "con.jpg", String(repeating: "w", count: 4_000),
    String(repeating: "小", count: 1_000),
  ]
}
