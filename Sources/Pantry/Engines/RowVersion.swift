internal import FoundationEssentials
internal import Glibc

/// The version of a model in the text of a row.
///
/// It is the first member of the item's object, `{"$pantryVersion":2,"id":"a"}`, so that every
/// engine keeps it and it is readable. Values other than objects are wrapped:
/// `{"$pantryVersion":2,"$pantryValue":["a"]}`. A row of version 0 is the item's JSON alone.
enum RowVersion {
  private static let versionKey = Array("\"$pantryVersion\"".utf8)
  private static let valueKey = Array("\"$pantryValue\"".utf8)

  /// Whether a member with this name could be taken for ours.
  static func isReserved(_ name: String) -> Bool {
    name == "$pantryVersion" || name == "$pantryValue"
  }

  /// Whether JSON has the beginning of a reserved name anywhere: only then may a member have one.
  static func mayHaveReservedName(_ json: Data) -> Bool {
    json.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var start = 0
      while let found = memchr(base + start, Int32(UInt8(ascii: "$")), bytes.count - start) {
        start = UnsafeRawPointer(found) - base
        if bytes[start...].starts(with: "$pantry".utf8) { return true }
        start += 1
      }
      return false
    }
  }

  /// Whether the first member of an object may have a reserved name, at a glance.
  private static func mayBeMarked(_ row: Data) -> Bool {
    row.withUnsafeBytes { bytes in
      var index = 0
      for expected in "{\"".utf8 {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        guard index < bytes.count, bytes[index] == expected else { return false }
        index += 1
      }
      return index < bytes.count && bytes[index] == UInt8(ascii: "$")
    }
  }

  /// Adds the version to the JSON of an item.
  static func add(_ version: Int, to json: Data) -> Data {
    guard version > 0 else { return json }
    let head = Data("{\"$pantryVersion\":\(version)".utf8)
    guard json.first == UInt8(ascii: "{") else {
      return head + Data(",\"$pantryValue\":".utf8) + json + Data("}".utf8)
    }
    return json.count == 2 ? head + Data("}".utf8) : head + Data(",".utf8) + json.dropFirst()
  }

  /// Splits a row into its version and the item's JSON.
  ///
  /// White space is allowed, since a row may have been edited by hand.
  ///
  /// - Complexity: O(1) for a row of version 0, otherwise one copy of the row.
  static func split(_ row: Data) -> (version: Int, json: Data) {
    guard mayBeMarked(row) else { return (0, row) }
    var reader = Reader(rest: row)
    guard reader.skip(UInt8(ascii: "{")), reader.skip(versionKey),
      reader.skip(UInt8(ascii: ":")), let version = reader.number()
    else { return (0, row) }
    if reader.skip(UInt8(ascii: "}")) { return (version, Data("{}".utf8)) }
    guard reader.skip(UInt8(ascii: ",")) else { return (0, row) }
    guard reader.skip(valueKey), reader.skip(UInt8(ascii: ":")) else {
      return (version, Data("{".utf8) + reader.rest)
    }
    guard let end = reader.rest.lastIndex(of: UInt8(ascii: "}")) else { return (0, row) }
    return (version, Data(reader.rest[..<end]))
  }

  private struct Reader {
    var rest: Data

    private mutating func skipSpace() {
      while let byte = rest.first, " \t\r\n".utf8.contains(byte) { rest = rest.dropFirst() }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
      skipSpace()
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func skip(_ text: [UInt8]) -> Bool {
      skipSpace()
      guard rest.starts(with: text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }

    mutating func number() -> Int? {
      skipSpace()
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      rest = rest.dropFirst(digits.count)
      return number
    }
  }
}
