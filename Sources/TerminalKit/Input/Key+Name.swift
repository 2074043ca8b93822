extension Key {
  /// Parses the name of a key, as `label` writes it or as a user would.
  ///
  /// Words are read in any case: `space`, `Enter`, `PgUp`, `pageup`, `f1`. A word or character may
  /// be preceded by `ctrl-`, `alt-` and `shift-` in any order, with a hyphen or a plus sign.
  ///
  /// The result is the key as a terminal sends it: `ctrl-i` is Tab, `ctrl-m` and `ctrl-j` are
  /// Enter, `ctrl-h` is Backspace, `ctrl-[` is Esc, `ctrl-X` is `ctrl-x`, `ctrl-space` is `ctrl-@`,
  /// `shift-f` is F. It is nil for keys that no terminal sends, such as `ctrl-1`, and for unknown
  /// names.
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

  package static let words: [String: Key] = [
    "space": .character(" "), " ": .character(" "), "enter": .enter, "return": .enter, "tab": .tab,
    "esc": .escape,
    "escape": .escape, "backspace": .backspace, "del": .delete, "delete": .delete, "ins": .insert,
    "insert": .insert, "up": .up, "down": .down, "left": .left, "right": .right, "↑": .up,
    "↓": .down, "←": .left, "→": .right, "home": .home, "end": .end, "pgup": .pageUp,
    "pageup": .pageUp, "pgdn": .pageDown, "pagedown": .pageDown,
  ]

  /// Returns a modifier at the beginning of a name, and its length including the sign after it.
  private static func modifier(beginning name: Substring) -> (KeyModifiers, length: Int)? {
    let word = name.prefix { $0 != "-" && $0 != "+" }
    // A sign must follow, and then a key.
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

  /// Returns the only scalar of a name, if the decoder accepts it as a key and a screen can show
  /// it.
  private static func printable(_ name: Substring) -> Character? {
    guard name.unicodeScalars.count == 1, let character = name.first,
      String(character).sanitized() == String(character)
    else { return nil }
    return character
  }

  /// Returns a character with modifiers held, if a terminal can send it.
  private static func character(_ character: Character, holding modifiers: KeyModifiers) -> Key? {
    var modifiers = modifiers
    var character = character
    if modifiers.contains(.control) {
      // Ctrl overrides Shift: a terminal sends the same byte for both.
      modifiers.remove(.shift)
      let key = Key.character(character).with(modifiers)
      // A key without a control byte would arrive without its Ctrl.
      return key == Key.character(character).with(modifiers.subtracting(.control)) ? nil : key
    }
    if modifiers.contains(.shift) {
      modifiers.remove(.shift)
      let capital = character.uppercased()
      // The result of Shift with other keys depends on the keyboard layout.
      guard character.isLetter, capital.unicodeScalars.count == 1 else { return nil }
      character = Character(capital)
    }
    return Key.character(character).with(modifiers)
  }
}
