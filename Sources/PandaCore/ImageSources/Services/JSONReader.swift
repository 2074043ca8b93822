internal import FoundationEssentials

/// Parses JSON in UTF-8 (RFC 8259), in time proportional to its length.
///
/// A comma may follow the last member or element, as some services write it.
///
/// JSONDecoder would not do for a stranger's reply: for a value whose shape is known only at run
/// time it takes minutes for a megabyte of nested lists, and it traps on a bracket that is nested
/// too deeply at the very end.
struct JSONReader {
  static let depthLimit = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  /// Parses a document; nil if it is not JSON, or has too many levels.
  ///
  /// Of members with the same name the first one counts, as in Foundation. A number that is too
  /// large is null.
  static func value(of document: Data) -> JSONValue? {
    document.withUnsafeBytes { document in
      var reader = JSONReader(bytes: document.bindMemory(to: UInt8.self))
      if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
      guard let value = reader.value(depth: 0) else { return nil }
      reader.skipSpace()
      return reader.offset == reader.bytes.count ? value : nil
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  // MARK: Values

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object(depth: depth + 1)
    case UInt8(ascii: "["): return array(depth: depth + 1)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return skip("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return skip("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return skip("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSONValue? {
    guard depth <= Self.depthLimit, skip("{") else { return nil }
    var members: [String: JSONValue] = [:]
    skipSpace()
    if skip("}") { return .object(members) }
    repeat {
      skipSpace()
      if !members.isEmpty, next == UInt8(ascii: "}") { break }
      guard let name = string() else { return nil }
      skipSpace()
      guard skip(":"), let value = value(depth: depth) else { return nil }
      if members[name] == nil { members[name] = value }
      skipSpace()
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSONValue? {
    guard depth <= Self.depthLimit, skip("[") else { return nil }
    var elements: [JSONValue] = []
    skipSpace()
    if skip("]") { return .array(elements) }
    repeat {
      skipSpace()
      if !elements.isEmpty, next == UInt8(ascii: "]") { break }
      guard let value = value(depth: depth) else { return nil }
      elements.append(value)
      skipSpace()
    } while skip(",")
    return skip("]") ? .array(elements) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = offset
    _ = skip("-")
    if !skip("0"), !skipDigits() { return nil }
    if skip("."), !skipDigits() { return nil }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      guard skipDigits() else { return nil }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    return Double(text).map { $0.isFinite ? .number($0) : .null }
  }

  // MARK: Strings

  private mutating func string() -> String? {
    guard skip("\"") else { return nil }
    let start = offset
    var text: [UInt8] = []
    var plain = start
    while let byte = next, byte >= 0x20 {
      offset += 1
      if byte == UInt8(ascii: "\"") {
        let rest = bytes[plain..<offset - 1]
        return plain == start
          ? String(validating: rest, as: UTF8.self) : String(validating: text + rest, as: UTF8.self)
      }
      guard byte == UInt8(ascii: "\\") else { continue }
      text += bytes[plain..<offset - 1]
      guard let scalar = escaped() else { return nil }
      text += UTF8.encode(scalar)!
      plain = offset
    }
    return nil
  }

  /// Parses what follows a backslash.
  private mutating func escaped() -> UnicodeScalar? {
    guard let byte = next else { return nil }
    offset += 1
    switch UnicodeScalar(byte) {
    case "\"", "\\", "/": return UnicodeScalar(byte)
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      guard let unit = codeUnit() else { return nil }
      guard UTF16.isLeadSurrogate(unit) else { return UnicodeScalar(unit) }
      // A surrogate without its other half is no character.
      guard skip("\\u"), let other = codeUnit(), UTF16.isTrailSurrogate(other) else { return nil }
      return UTF16.decode(UTF16.EncodedScalar([unit, other]))
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt16? {
    guard offset + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    offset += 4
    return unit
  }

  // MARK: Bytes

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  /// Skips a text; false if another one is next.
  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= bytes.count - offset else { return false }
    for index in 0..<count where bytes[offset + index] != text.utf8Start[index] { return false }
    offset += count
    return true
  }

  /// Skips digits; false if there are none.
  private mutating func skipDigits() -> Bool {
    let start = offset
    while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
    return offset > start
  }
}
