internal import FoundationEssentials

/// A type that is coded without calling its `init(from:)` and `encode(to:)`.
///
/// Foundation does the same for `Date`, `Data`, `URL` and `Decimal`. The other types only ask a
/// single value container for a value of the same type, which this skips.
enum BuiltInType {
  case string, date, url, int, double, bool, data, decimal

  @inline(__always)
  init?<Value>(_ type: Value.Type) {
    if Value.self == String.self {
      self = .string
    } else if Value.self == Date.self {
      self = .date
    } else if Value.self == URL.self {
      self = .url
    } else if Value.self == Int.self {
      self = .int
    } else if Value.self == Double.self {
      self = .double
    } else if Value.self == Bool.self {
      self = .bool
    } else if Value.self == Data.self {
      self = .data
    } else if Value.self == Decimal.self {
      self = .decimal
    } else {
      return nil
    }
  }
}

extension ValueDecoder {
  /// Decodes a value of a built-in type, which is `Value`.
  func decode<Value>(
    _ builtIn: BuiltInType, as type: Value.Type, at node: Int
  ) throws -> Value {
    switch builtIn {
    case .string: same(try string(at: node))
    case .date: same(try date(at: node))
    case .url: same(try url(at: node))
    case .int: same(try integer(Int.self, at: node))
    case .double: same(try floatingPoint(Double.self, at: node))
    case .bool: same(try bool(at: node))
    case .data: same(try data(at: node))
    case .decimal: same(try decimal(at: node))
    }
  }

  /// Casts a value to its own type: `as!` would look it up at run time, which costs more than
  /// decoding.
  @inline(__always)
  private func same<Known, Value>(_ value: Known) -> Value {
    precondition(Known.self == Value.self)
    return unsafeBitCast(value, to: Value.self)
  }
}
