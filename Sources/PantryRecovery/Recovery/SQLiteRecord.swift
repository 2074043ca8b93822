/// A row in SQLite's record format (https://sqlite.org/fileformat2.html#record_format).
struct SQLiteRecord {
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(ArraySlice<UInt8>)
    case blob(ArraySlice<UInt8>)
  }

  /// The kinds of the columns, from the beginning of a record.
  enum Kind: Equatable {
    case null, integer, real, text, blob
  }

  private let types: [UInt64]
  /// The offset of the values.
  private let start: Int
  /// The number of bytes of the whole record.
  let byteCount: Int

  /// Reads the description of the columns; nil if the bytes do not begin with one.
  ///
  /// - Parameter bytes: the record, or its beginning.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    guard let headSize = rest.takeVarint(), headSize >= 1, headSize <= 100,
      headSize <= UInt64(bytes.count)
    else { return nil }
    let end = bytes.startIndex + Int(headSize)
    guard rest.startIndex <= end else { return nil }
    var head = bytes[rest.startIndex..<end]
    var types: [UInt64] = []
    var size = 0
    while !head.isEmpty {
      guard let type = head.takeVarint(), type != 10, type != 11, type < 1 << 32 else { return nil }
      types.append(type)
      size += Self.size(of: type)
    }
    self.types = types
    start = Int(headSize)
    byteCount = start + size
  }

  var kinds: [Kind] {
    types.map { type in
      switch type {
      case 0: .null
      case 7: .real
      case 1...9: .integer
      default: type.isMultiple(of: 2) ? .blob : .text
      }
    }
  }

  /// Returns a column's value; nil if `bytes` end before it does.
  func value(_ column: Int, in bytes: ArraySlice<UInt8>) -> Value? {
    let offset = types[..<column].reduce(bytes.startIndex + start) { $0 + Self.size(of: $1) }
    let type = types[column]
    let end = offset + Self.size(of: type)
    guard end <= bytes.endIndex else { return nil }
    let content = bytes[offset..<end]
    switch type {
    case 0: return .null
    case 7: return .real(Double(bitPattern: UInt64(bitPattern: content.signedInteger)))
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...6: return .integer(content.signedInteger)
    default: return type.isMultiple(of: 2) ? .blob(content) : .text(content)
    }
  }

  private static func size(of type: UInt64) -> Int {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    default: Int(type - 12) / 2
    }
  }
}

extension ArraySlice<UInt8> {
  /// Takes a variable-length integer (https://sqlite.org/fileformat2.html#varint).
  mutating func takeVarint() -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = popFirst() else { return nil }
      if index == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// The bytes as a number in two's complement.
  fileprivate var signedInteger: Int64 {
    let negative = (first ?? 0) >= 0x80
    return reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}
