internal import FoundationEssentials
internal import PantryJSON

/// The text of a JSON object whose members can be replaced one by one.
///
/// All other members keep their exact text: numbers of any length, the order of keys, and members
/// that another version of the program has written.
struct JSONObjectText {
  private struct Member {
    let key: String
    let keyText: Data
    var value: Data
  }

  private var members: [Member] = []

  init() {}

  /// Parses `text`.
  ///
  /// - Throws: `DecodingError` if it is not a JSON object in UTF-8.
  init(_ text: Data) throws {
    // The decoder checks the grammar; the scanner only finds where each member begins and ends.
    // Foundation's own traps on some texts; see RowDecoder.
    _ = try RowDecoder().decode([String: AnyValue].self, from: text)
    var scanner = Scanner(bytes: Array(text))
    try scanner.skip("{")
    while try scanner.peek() != "}" {
      let keyText = try scanner.value()
      try scanner.skip(":")
      let value = try scanner.value()
      let key = try JSONDecoder().decode(String.self, from: keyText)
      // As for the decoder, the first of several members with one name counts.
      if self[key] == nil { self[key, keyText] = value }
      if try scanner.peek() == "," { try scanner.skip(",") }
    }
  }

  /// The text of the value under `key`; nil if there is no such member.
  subscript(key: String) -> Data? {
    index(of: key).map { members[$0].value }
  }

  /// Sets `value`, at the end if the member is new; nil removes the member.
  mutating func set(_ value: Data?, key: String) throws {
    self[key, try JSONEncoder().encode(key)] = value
  }

  private subscript(key: String, keyText: Data) -> Data? {
    get { self[key] }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?):
        members.append(Member(key: key, keyText: keyText, value: value))
      case (nil, nil): break
      }
    }
  }

  /// By bytes: equal strings with others are names of other members.
  private func index(of key: String) -> Int? {
    members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// The text in one line, with no space between the members.
  var text: Data {
    var text = Data("{".utf8)
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += member.keyText
      text.append(UInt8(ascii: ":"))
      text += member.value
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}

/// Finds the ends of values in a text whose grammar has been checked.
private struct Scanner {
  let bytes: [UInt8]
  var index = 0

  /// The next character that is not white space.
  mutating func peek() throws -> Unicode.Scalar {
    while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
    guard index < bytes.count else { throw unexpected("The text ends too early") }
    return Unicode.Scalar(bytes[index])
  }

  mutating func skip(_ character: Unicode.Scalar) throws {
    guard try peek() == character else { throw unexpected("\(character) is missing") }
    index += 1
  }

  mutating func value() throws -> Data {
    _ = try peek()
    let start = index
    var depth = 0
    repeat {
      switch Unicode.Scalar(bytes[index]) {
      case "\"": skipString()
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      default: break
      }
      index += 1
    } while index < bytes.count && (depth > 0 || !isEnd(bytes[index]))
    return Data(bytes[start..<min(index, bytes.count)])
  }

  /// Goes to the closing quotation mark.
  private mutating func skipString() {
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  private func isEnd(_ byte: UInt8) -> Bool { ":,}] \t\r\n".utf8.contains(byte) }

  private func unexpected(_ what: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "\(what) at byte \(index)"))
  }
}

/// Any JSON value, skipped without decoding.
private struct AnyValue: Decodable {
  init(from decoder: any Decoder) {}
}
