package enum Key: Hashable, Sendable {
  /// A key that produces text: one Unicode scalar.
  ///
  /// Combining marks arrive as further keys; appending them to a `String` joins them to their
  /// letter.
  case character(Character)
  /// Ctrl with a lowercase letter or one of `@ \ ] ^ _`.
  ///
  /// Ctrl-I, J, M, H and [ are indistinguishable from Tab, Enter, Enter, Backspace and Esc, and
  /// arrive as those.
  case control(Character)
  case alt(Character)
  case enter, tab, backTab, escape, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// F1 to F20.
  case function(Int)
  /// A named key, or Alt with Ctrl and a letter, with at least one modifier.
  indirect case modified(KeyModifiers, Key)
}

/// Modifier keys held during a key press, numbered as in xterm's reports minus one.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package static let shift = KeyModifiers(rawValue: 1)
  package static let alt = KeyModifiers(rawValue: 2)
  package static let control = KeyModifiers(rawValue: 4)

  /// Reads the parameter of a key report: 1 plus the modifiers.
  ///
  /// Others (Super, Caps Lock) are ignored.
  init(parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(parameter, 1) - 1) & 7)
  }

  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension Key {
  /// Returns the key with modifiers held, in its canonical form.
  package func with(_ modifiers: KeyModifiers) -> Key {
    switch self {
    case .character(let character): Self.character(character, with: modifiers)
    case .alt(let character): Self.character(character, with: modifiers.union(.alt))
    case .tab where modifiers == .shift: .backTab
    case .backTab where !modifiers.isEmpty: Key.tab.with(modifiers.union(.shift))
    case .modified(let held, let key): .modified(held.union(modifiers), key)
    default: modifiers.isEmpty ? self : .modified(modifiers, self)
    }
  }

  /// Returns a character's key with modifiers.
  ///
  /// Shift is already part of the character; Ctrl counts for letters and `@ \ ] ^ _`.
  private static func character(_ character: Character, with modifiers: KeyModifiers) -> Key {
    guard modifiers.contains(.control), let ascii = character.asciiValue else {
      return modifiers.contains(.alt) ? .alt(character) : .character(character)
    }
    let control: Key? =
      switch ascii {
      case 0x20: .control("@")
      case 0x40...0x7E: Key(control: ascii & 0x1F)
      default: nil
      }
    guard let control else {
      return modifiers.contains(.alt) ? .alt(character) : .character(character)
    }
    return modifiers.contains(.alt) ? control.with(.alt) : control
  }

  /// Creates the key that sends a control byte (below 0x20, or 0x7F).
  package init(control byte: UInt8) {
    switch byte {
    case 0x08, 0x7F: self = .backspace
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x1B: self = .escape
    case 0x01...0x1A: self = .control(Character(UnicodeScalar(byte + 0x60)))
    default: self = .control(Character(UnicodeScalar((byte & 0x1F) + 0x40)))
    }
  }
}
