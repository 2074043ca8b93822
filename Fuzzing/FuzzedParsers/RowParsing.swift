internal import Foundation
internal import PantryJSON

/// A row of a store, decoded and encoded as Foundation does it.
enum RowParsing {
  /// A type with most kinds of members.
  private struct Row: Codable {
    enum Kind: String, Codable { case one, two }

    var text: String?
    var flag: Bool?
    var number: Int?
    var small: Int8?
    var large: UInt64?
    var real: Double?
    var short: Float?
    var date: Date?
    var link: URL?
    var bytes: Data?
    var kind: Kind?
    var list: [Int?]?
    var names: [String: String]?
    var numbers: [Int: Double]?
    var rows: [Row]?
  }

  static func parse(_ input: [UInt8]) throws {
    let data = Data(input)
    let decoder = RowDecoder()
    guard FoundationJSON.canDecode(input) else {
      // Whatever the error, if any.
      _ = try? decoder.decode(Row.self, from: data)
      return
    }
    let value = decoded(FoundationJSON.self, data, decoder)
    try require(value.own == value.foundation, "any value decodes as with Foundation")
    let row = decoded(Row.self, data, decoder)
    try require(
      try sorted(row.own) == sorted(row.foundation), "a row decodes as with Foundation")
    guard let row = row.own else { return }
    let encoded = try RowEncoder().encode(row)
    try require(
      try sorted(JSONDecoder().decode(Row.self, from: encoded)) == sorted(row),
      "\(String(decoding: encoded, as: UTF8.self)) is what was encoded")
  }

  /// Decodes a value in both ways; nil where it cannot be decoded.
  private static func decoded<Value: Decodable>(
    _ type: Value.Type, _ data: Data, _ decoder: RowDecoder
  ) -> (own: Value?, foundation: Value?) {
    // Both must fail, whatever the error.
    (try? decoder.decode(type, from: data), try? JSONDecoder().decode(type, from: data))
  }

  /// Encodes a row by Foundation, so that two can be compared byte by byte.
  private static func sorted(_ row: Row?) throws -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try row.map { try encoder.encode($0) }
  }
}
