internal import FoundationEssentials

/// A parameter of a statement, sent in PostgreSQL's binary format.
///
/// The format is that of each type's `recv` function in the server; all integers are big-endian.
enum PostgresValue: Sendable {
  case integer(Int64)
  case shortInteger(Int32)
  case text(String)
  case bytes(Data)
  case bytesArray([Data])
  /// 16 bytes.
  case uuid(Data)
  /// A transaction's number (`xid8`).
  case transaction(UInt64)
  case transactions([UInt64])
  case integers([Int64])

  /// The OID of the type (pg_type.dat).
  var type: UInt32 {
    switch self {
    case .integer: 20
    case .shortInteger: 23
    case .text: 25
    case .bytes: 17
    case .bytesArray: 1001
    case .uuid: 2950
    case .transaction: 5069
    case .transactions: 271
    case .integers: 1016
    }
  }

  func append(to buffer: inout [UInt8]) {
    switch self {
    case .integer(let integer): buffer.append(bigEndian: integer)
    case .shortInteger(let integer): buffer.append(bigEndian: integer)
    case .text(let text): buffer += text.utf8
    case .bytes(let data), .uuid(let data): buffer += data
    case .transaction(let number): buffer.append(bigEndian: number)
    case .bytesArray(let elements):
      Self.appendArray(of: 17, count: elements.count, to: &buffer)
      for element in elements {
        buffer.append(bigEndian: Int32(element.count))
        buffer += element
      }
    case .integers(let elements):
      Self.appendArray(of: 20, count: elements.count, to: &buffer)
      for element in elements {
        buffer.append(bigEndian: Int32(8))
        buffer.append(bigEndian: element)
      }
    case .transactions(let elements):
      Self.appendArray(of: 5069, count: elements.count, to: &buffer)
      for element in elements {
        buffer.append(bigEndian: Int32(8))
        buffer.append(bigEndian: element)
      }
    }
  }

  /// Appends the head of an array of one dimension, without nulls (`array_recv`).
  private static func appendArray(of type: UInt32, count: Int, to buffer: inout [UInt8]) {
    buffer.append(bigEndian: Int32(count == 0 ? 0 : 1))
    buffer.append(bigEndian: Int32(0))
    buffer.append(bigEndian: type)
    guard count > 0 else { return }
    buffer.append(bigEndian: Int32(count))
    buffer.append(bigEndian: Int32(1))
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian integer: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
  }
}
