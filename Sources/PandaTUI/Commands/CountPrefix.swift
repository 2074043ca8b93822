internal import TerminalKit

/// The number that a user types before a command, as in vi.
struct CountPrefix: Equatable, Sendable {
  /// The greatest count; a larger one is not intended.
  static let limit = 9_999

  private(set) var digits = ""

  /// Handles a key; returns whether it is a digit of the count.
  ///
  /// A count does not start with 0.
  mutating func take(_ key: Key) -> Bool {
    guard case .character(let character) = key, let digit = character.wholeNumberValue,
      character.isASCII, !(digits.isEmpty && digit == 0)
    else { return false }
    if (Int(digits + String(digit)) ?? 0) <= Self.limit { digits.append(character) }
    return true
  }

  /// Returns the count and resets it; nil if none was typed.
  mutating func end() -> Int? {
    defer { digits = "" }
    return Int(digits)
  }
}
