extension TerminalReply {
  /// Parses the body of a string from the terminal; nil if it answers none of our questions.
  package init?(_ kind: KeyDecoder.StringKind, body: [UInt8]) {
    switch kind {
    case .deviceControl:
      guard body.starts(with: ">|".utf8) else { return nil }
      self = .version(Self.printable(body.dropFirst(2)))
    case .applicationCommand:
      guard body.first == UInt8(ascii: "G") else { return nil }
      self = Self.kittyGraphics(body.dropFirst())
    case .systemCommand:
      guard let color = Self.color(body) else { return nil }
      self = color
    case .startOfString, .privacyMessage: return nil
    }
  }

  private static func printable(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
  }

  /// Parses `i=31,p=1;OK`.
  private static func kittyGraphics(_ body: ArraySlice<UInt8>) -> TerminalReply {
    let parts = body.split(separator: UInt8(ascii: ";"), maxSplits: 1)
    let keys = parts.first?.split(separator: UInt8(ascii: ",")) ?? []
    let id = keys.first { $0.starts(with: "i=".utf8) }.flatMap { key -> Int? in
      // Ids have 32 bits; anything else is not an id.
      UInt32(String(decoding: key.dropFirst(2), as: UTF8.self)).map { Int($0) }
    }
    return .kittyGraphics(id: id, message: parts.count > 1 ? printable(parts[1]) : "")
  }

  /// Parses `11;rgb:ffff/8080/0000` (one to four digits a channel) or `rgba:` with a fourth
  /// channel, and `4;3;rgb:` for a color of the palette.
  private static func color(_ body: [UInt8]) -> TerminalReply? {
    let fields = body.split(separator: UInt8(ascii: ";"))
    let numbers = fields.dropLast().compactMap { field in
      field.count <= 3 ? Int(String(decoding: field, as: UTF8.self)) : nil
    }
    guard numbers.count == fields.count - 1, numbers.allSatisfy({ $0 >= 0 }),
      let color = fields.last, let colon = color.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let name = String(decoding: color[..<colon], as: UTF8.self)
    let channels = color[(colon + 1)...].split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard (name == "rgb" && channels.count == 3) || (name == "rgba" && channels.count == 4)
    else { return nil }
    let values = channels.compactMap(channel)
    guard values.count == channels.count else { return nil }
    if numbers.count == 2, numbers[0] == 4 {
      return .paletteColor(index: numbers[1], red: values[0], green: values[1], blue: values[2])
    }
    guard numbers.count == 1 else { return nil }
    return .color(slot: numbers[0], red: values[0], green: values[1], blue: values[2])
  }

  /// Scales a channel of one to four hexadecimal digits to a byte.
  private static func channel(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "+"),
      let value = Int(String(decoding: digits, as: UTF8.self), radix: 16), value >= 0
    else { return nil }
    let full = (1 << (4 * digits.count)) - 1
    return UInt8((value * 255 + full / 2) / full)
  }
}
