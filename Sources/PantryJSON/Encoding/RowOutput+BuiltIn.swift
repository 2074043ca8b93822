internal import FoundationEssentials

extension RowOutput {
  /// Writes a value of a built-in type, which is `Value`.
  func write<Value>(_ builtIn: BuiltInType, _ value: Value) throws {
    switch builtIn {
    case .string: write(same(value) as String)
    case .date: try write((same(value) as Date).timeIntervalSinceReferenceDate)
    case .url: write((same(value) as URL).absoluteString)
    case .int: write(same(value) as Int)
    case .double: try write(same(value) as Double)
    case .bool: write(same(value) as Bool)
    case .data: write((same(value) as Data).base64EncodedString())
    case .decimal: try write(same(value) as Decimal)
    }
  }

  private func write(_ value: Decimal) throws {
    guard value.isFinite else { throw deferToFoundation() }
    write(verbatim: value.description)
  }

  /// Casts a value to its own type: see the decoder's.
  @inline(__always)
  private func same<Value, Known>(_ value: Value) -> Known {
    precondition(Known.self == Value.self)
    return unsafeBitCast(value, to: Known.self)
  }
}
