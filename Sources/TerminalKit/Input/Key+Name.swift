extension Key {
  /// Reads the name of a key, as `label` writes it or as a person would.
  ///
  /// Words are read in any case: `space`, `Enter`, `PgUp`, `pageup`, `f1`. Before them, or before a
  /// character, stand `ctrl-`, `alt-` and `shift-` in any order, with a hyphen or a plus sign.
  ///
  /// The result is the key as it comes from a terminal: `ctrl-i` is Tab, `ctrl-m` and `ctrl-j` are
  /// Enter, `ctrl-h` is Backspace, `ctrl-[` is Esc, `ctrl-X` is `ctrl-x`, `ctrl-space` is `ctrl-@`,
  /// `shift-f` is F. Nil is what no terminal sends, such as `ctrl-1`, and what is not a name.
  package init?(name: String) {
    var modifiers = KeyModifiers()
    var rest = name[...]
    while let (modifier, length) = Self.modifier(beginning: rest) {
      modifiers.insert(modifier)
      rest = rest.dropFirst(length)
    }
    if let key = Self.named(rest.lowercased()) {
      self = key.with(modifiers)
    } else if let character = Self.printable(rest) {
      guard let key = Self.character(character, holding: modifiers) else { return nil }
      self = key
    } else {
      return nil
    }
  }

  /// The words that name keys.
  package static let words: [String: Key] = [
    "space": .character(" "), " ": .character(" "), "enter": .enter, "return": .enter, "tab": .tab,
    "esc": .escape,
    "escape": .escape, "backspace": .backspace, "del": .delete, "delete": .delete, "ins": .insert,
    "insert": .insert, "up": .up, "down": .down, "left": .left, "right": .right, "↑": .up,
    "↓": .down, "←": .left, "→": .right, "home": .home, "end": .end, "pgup": .pageUp,
    "pageup": .pageUp, "pgdn": .pageDown, "pagedown": .pageDown,
  ]

  /// A modifier at the beginning of a name, and how long it is with the sign after it.
  private static func modifier(beginning name: Substring) -> (KeyModifiers, length: Int)? {
    let word = name.prefix { $0 != "-" && $0 != "+" }
    // A sign must follow, and after it a key.
    guard name.count > word.count + 1 else { return nil }
    let modifier: KeyModifiers? =
      switch word.lowercased() {
      case "ctrl", "control": .control
      case "alt": .alt
      case "shift": .shift
      default: nil
      }
    return modifier.map { ($0, length: word.count + 1) }
  }

  private static func named(_ word: String) -> Key? {
    if let key = words[word] { return key }
    guard word.first == "f", let number = Int(word.dropFirst()), (1...20).contains(number),
      word == "f\(number)"
    else { return nil }
    return .function(number)
  }

  /// The one scalar of a name, if the decoder would make a key of it and a screen can show it.
  private static func printable(_ name: Substring) -> Character? {
    guard name.unicodeScalars.count == 1, let character = name.first,
      String(character).sanitized() == String(character)
    else { return nil }
    return character
  }

  /// A character with modifiers held, as far as a terminal sends it.
  private static func character(_ character: Character, holding modifiers: KeyModifiers) -> Key? {
    var modifiers = modifiers
    var character = character
    if modifiers.contains(.control) {
      // Ctrl takes Shift's place: a terminal sends the same byte for both.
      modifiers.remove(.shift)
      let key = Key.character(character).with(modifiers)
      // What has no control byte would come without its Ctrl.
      return key == Key.character(character).with(modifiers.subtracting(.control)) ? nil : key
    }
    if modifiers.contains(.shift) {
      modifiers.remove(.shift)
      let capital = character.uppercased()
      // Where Shift leads to on other keys is the keyboard's secret.
      guard character.isLetter, capital.unicodeScalars.count == 1 else { return nil }
      character = Character(capital)
    }
    return Key.character(character).with(modifiers)
  }
}
