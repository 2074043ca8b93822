extension JSONValue: CustomStringConvertible {
  /// Makes a string; nil for none, which leaves a member out.
  package init?(text: String?) {
    guard let text else { return nil }
    self.init(.text(text))
  }

  package init(number: Int) { self.init(.number(Double(number))) }

  package init(flag: Bool) { self.init(.flag(flag)) }

  package init(texts: [String]) { self.init(.list(texts.map { JSONValue(.text($0)) })) }

  /// Makes an object; absent members are left out.
  package init(members: [String: JSONValue?]) {
    self.init(.object(members.compactMapValues(\.self)))
  }

  /// JSON in one line, with the members sorted by name.
  package var description: String {
    switch content {
    case .null, .invalid: "null"
    case .flag(let flag): "\(flag)"
    case .number(let number): integer.map { "\($0)" } ?? "\(number)"
    case .text(let text): Self.quoted(text)
    case .list(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value)" }
        .joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where acts(scalar):
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The control characters, and what changes lines and directions: a line may reach a terminal.
  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
