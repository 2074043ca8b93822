/// A key that was pressed.
enum Key: Equatable, Sendable {
  case character(Character)
  case enter, escape, backspace, up, down
  /// Control-C, or the end of the input.
  case interrupt

  /// Returns the keys in bytes that were read together.
  static func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x0d, 0x0a: keys.append(.enter)
      case 0x7f, 0x08: keys.append(.backspace)
      case 0x03, 0x04: keys.append(.interrupt)
      case 0x1b where rest.first == "[" || rest.first == "O":
        // Arrows; other sequences are skipped as a whole.
        let sequence = rest.dropFirst().prefix { !("@"..."~").contains($0) }
        let last = rest.dropFirst(1 + sequence.count).first
        rest = rest.dropFirst(2 + sequence.count)
        if last == "A" { keys.append(.up) }
        if last == "B" { keys.append(.down) }
      case 0x1b: keys.append(.escape)
      case 0x20...: keys.append(.character(Character(scalar)))
      default: break
      }
    }
    return keys
  }
}
