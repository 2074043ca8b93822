internal import Foundation

/// Any JSON value as Foundation decodes it, to compare with our own readers.
indirect enum FoundationJSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([FoundationJSON])
  case object([String: FoundationJSON])

  /// Whether Foundation can be asked.
  ///
  /// It traps on some documents (see RowDecoder), takes minutes for others, and has no value for
  /// numbers that are too large.
  static func canDecode(_ document: [UInt8]) -> Bool {
    document.last { $0 != 0 } != UInt8(ascii: "[")
      && document.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } < 100
      && !hasLargeNumber(document)
  }

  private static func hasLargeNumber(_ document: [UInt8]) -> Bool {
    var (digits, exponent) = (0, 0)
    for byte in document {
      switch UnicodeScalar(byte) {
      case "0"..."9":
        digits += 1
        if exponent > 0 { exponent += 1 }
        if digits > 300 || exponent > 3 { return true }
      case "e", "E": exponent = 1
      case "+", "-": digits = 0
      default: (digits, exponent) = (0, 0)
      }
    }
    return false
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // A type mismatch is an error, on which the next type is tried.
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let elements = try? value.decode([FoundationJSON].self) {
      self = .array(elements)
    } else {
      self = .object(try value.decode([String: FoundationJSON].self))
    }
  }
}
