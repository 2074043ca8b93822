internal import TerminalKit
internal import Testing

@testable import PandaSession

@Suite struct KeyNameTests {
  @Test func `every label of a key names it`() {
    var keys = KeyTable.standard.bindings.flatMap(\.keys)
    let named: [Key] = [
      .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right,
      .home, .end, .pageUp, .pageDown,
    ]
    keys += named + (1...20).map { .function($0) }
    keys += (0x20...0x7E).map { .character(Character(UnicodeScalar($0))) }
    keys += (0x20...0x7E).map { .alt(Character(UnicodeScalar($0))) }
    keys += "éßжあ🐼".map { .character($0) } + [.alt("é")]
    keys += "abcdefgklnopqrstuvwxyz@\\]^_".map { .control($0) }
    keys += [.control("x").with(.alt), .control("@").with(.alt)]
    for rawValue in UInt8(1)...7 {
      let modifiers = KeyModifiers(rawValue: rawValue)
      keys += (named.filter { $0 != .backTab } + [.function(5)]).map { $0.with(modifiers) }
    }
    for key in keys { #expect(Key(name: key.label) == key, "\(key.label)") }
  }

  @Test(
    arguments: [
      ("space", .character(" ")), ("Space", .character(" ")), ("escape", .escape), ("ESC", .escape),
      ("delete", .delete), ("insert", .insert), ("pageup", .pageUp), ("PageDown", .pageDown),
      ("return", .enter), ("up", .up), ("←", .left), ("f1", .function(1)), ("F20", .function(20)),
      ("f", .character("f")), ("F", .character("F")), ("-", .character("-")),
      ("+", .character("+")),
      ("ctrl-left", .modified(.control, .left)), ("Ctrl+Left", .modified(.control, .left)),
      ("control-x", .control("x")), ("alt-x", .alt("x")), ("alt-X", .alt("X")),
      ("alt--", .alt("-")),
      ("shift-tab", .backTab), ("shift-alt-up", .modified([.shift, .alt], .up)),
      ("shift-f", .character("F")), ("alt-shift-x", .alt("X")), ("alt-space", .alt(" ")),
      ("alt-ctrl-x", .modified(.alt, .control("x"))),
      ("ctrl-alt-x", .modified(.alt, .control("x"))),
    ] as [(String, Key)])
  func `key names are accepted in many spellings`(_ name: String, _ key: Key) {
    #expect(Key(name: name) == key)
  }

  @Test(
    arguments: [
      ("ctrl-i", .tab), ("ctrl-m", .enter), ("ctrl-j", .enter), ("ctrl-h", .backspace),
      ("ctrl-[", .escape), ("ctrl-X", .control("x")), ("ctrl-shift-x", .control("x")),
      ("ctrl-space", .control("@")), ("ctrl-alt-i", .modified(.alt, .tab)),
    ] as [(String, Key)])
  func `a key that terminals cannot distinguish becomes the key they send`(
    _ name: String, _ key: Key
  ) {
    #expect(Key(name: name) == key)
  }

  @Test(arguments: [
    "", "ctrl-", "-x", "hyper-x", "ctrl-1", "ctrl-é", "alt-ctrl-1", "shift-1", "shift-ß", "F0",
    "F21", "f01", "f+1", "fn", "xy", "e\u{301}", "👨‍👩‍👧", "\u{1B}", "\n", "\u{200B}", "\u{202E}",
    "ctrl-ctrl",
    "arrow", "shift", "space ",
  ])
  func `a key that no terminal sends has no name`(_ name: String) {
    #expect(Key(name: name) == nil)
  }
}
