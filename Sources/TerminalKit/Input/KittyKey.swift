/// A key in the form of kitty's keyboard protocol.
///
/// `CSI code:shifted:base ; modifiers:event ; text u`, all but the code optional
/// (sw.kovidgoyal.net/kitty/keyboard-protocol). Keys mean what they mean without the protocol.
extension ControlSequence {
  /// The events of `CSI ... u`: one key, or a key for each character of a composed text.
  var kittyEvents: [InputEvent] {
    guard !isRelease else { return [] }
    if typesText {
      guard text.count == 1 else { return text.map { .key(.character($0)) } }
      return [.key(.character(text[0]), base: text[0].isForeign ? baseKey : nil)]
    }
    guard let code = parameter(0) else { return [] }
    if let key = Self.privateKeys[code] ?? Self.function(code) { return [.key(key.with(held))] }
    guard case .character(let typed)? = Self.coded(code) else {
      return Self.coded(code).map { [.key($0.with(held))] } ?? []
    }
    let character = shifted(typed, alternate: parameter(0, part: 1))
    if held.isDisjoint(with: [.control, .alt]) {
      return [.key(.character(character), base: typed.isForeign ? baseKey : nil)]
    }
    // With Ctrl or Alt no text is typed: only the place of the key matters.
    if typed.isForeign, let baseKey { return [.key(baseKey.with(held))] }
    return [.key(Self.key(character, holding: held))]
  }

  /// The text that the key types; control characters are none.
  private var text: [Character] {
    parts(of: 2).compactMap { number in
      guard let number, case .character(let character)? = Self.coded(number) else { return nil }
      return character
    }
  }

  /// Whether the key types its text, whatever is held.
  ///
  /// Windows has AltGr as Alt, or as Ctrl and Alt: there AltGr-6 may be `CSI 54 ; 3 ; 124 u`, with
  /// a text that is not the key's (microsoft/terminal, issue 19977). WezTerm gives Ctrl-A and Alt-J
  /// a text, too, that of the key (wezterm, issue 8149).
  private var typesText: Bool {
    guard let first = text.first else { return false }
    guard !held.isDisjoint(with: [.control, .alt]) else { return true }
    guard held.contains(.alt), let code = parameter(0),
      case .character(let typed)? = Self.privateKeys[code] ?? Self.coded(code)
    else { return false }
    return ![typed, shifted(typed, alternate: parameter(0, part: 1))].contains {
      $0.lowercased() == first.lowercased()
    }
  }

  /// The key of the base layout, which is that of a PC for American English.
  private var baseKey: Key? {
    guard let code = parameter(0, part: 2), (0x21..<0x7F).contains(code),
      case .character(let character)? = Self.coded(code)
    else { return nil }
    return .character(shifted(character, alternate: nil))
  }

  /// Returns what a key types with Shift and Caps Lock as they are.
  ///
  /// Without the alternate of the protocol, a key that types no letter counts as American.
  private func shifted(_ character: Character, alternate: Int?) -> Character {
    let hasShift = held.contains(.shift)
    let hasCapsLock = ((parameter(1) ?? 1) - 1) & 64 != 0
    if character.isLetter, hasShift == hasCapsLock { return character }
    guard hasShift || character.isLetter else { return character }
    if hasShift, let alternate, case .character(let other)? = Self.coded(alternate) { return other }
    let capital = character.uppercased()
    guard character.isLetter else { return Self.americanShift[character] ?? character }
    return capital.unicodeScalars.count == 1 ? Character(capital) : character
  }

  private static let americanShift = Dictionary(
    uniqueKeysWithValues: zip("`1234567890-=[]\\;',./", "~!@#$%^&*()_+{}|:\"<>?"))

  /// Returns the key of a character with Ctrl or Alt.
  ///
  /// Of digits and a few signs, terminals send the control bytes that the VT220 sent.
  private static func key(_ character: Character, holding held: KeyModifiers) -> Key {
    guard held.contains(.control), let byte = controlBytes[character] else {
      return Key.character(character).with(held)
    }
    return Key(control: byte).with(held.intersection(.alt))
  }

  private static let controlBytes: [Character: UInt8] = [
    "2": 0x00, "3": 0x1B, "4": 0x1C, "5": 0x1D, "6": 0x1E, "7": 0x1F, "8": 0x7F, "/": 0x1F,
    "?": 0x7F,
  ]

  /// The keys with numbers in the private use area that have a meaning here.
  ///
  /// The other ones are locks, media keys and lone modifiers.
  private static let privateKeys: [Int: Key] = {
    let signs = zip(57_399..., "0123456789./*-+").map { ($0, Key.character($1)) }
    let names = zip(
      57_417..., [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete]
    ).map { ($0, $1 as Key) }
    return Dictionary(
      uniqueKeysWithValues: signs + names + [
        (57_414, .enter), (57_415, .character("=")), (57_416, .character(",")),
      ])
  }()

  private static func function(_ code: Int) -> Key? {
    (57_364...57_383).contains(code) ? .function(code - 57_363) : nil
  }
}

extension Character {
  /// Whether it is a letter of another script than Latin.
  fileprivate var isForeign: Bool {
    guard isLetter, let scalar = unicodeScalars.first else { return false }
    // U+1E00 to U+1EFF are Latin letters with two accents, as in Vietnamese.
    return scalar.value >= 0x370 && !(0x1E00...0x1EFF).contains(scalar.value)
  }
}
