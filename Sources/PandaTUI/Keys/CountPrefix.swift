internal import TerminalKit

/// The number that a person types before a command, as in vi.
struct CountPrefix: Equatable, Sendable {
  /// The greatest count: more is nobody's intention.
  static let limit = 9_999

  private(set) var digits = ""

  /// Takes a digit; returns whether it was one that counts.
  ///
  /// Nothing counts from 0.
  mutating func take(_ key: Key) -> Bool {
    guard case .character(let character) = key, let digit = character.wholeNumberValue,
      character.isASCII, !(digits.isEmpty && digit == 0)
    else { return false }
    if (Int(digits + String(digit)) ?? 0) <= Self.limit { digits.append(character) }
    return true
  }

  /// The count, which is forgotten then; nil if none was typed.
  mutating func end() -> Int? {
    defer { digits = "" }
    return Int(digits)
  }
}
