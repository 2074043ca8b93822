internal import FoundationEssentials

extension ValueDecoder {
  @inline(__always)
  func isNull(at node: Int) -> Bool { tape[node].kind == .null }

  /// For a null in place of a Bool, Foundation reports a type mismatch, not a missing value.
  @inline(__always)
  func bool(at node: Int) throws -> Bool {
    switch tape[node].kind {
    case .true: return true
    case .false: return false
    case let kind: throw DecodingError.mismatch(Bool.self, kind, path(of: node))
    }
  }

  @inline(__always)
  func string(at node: Int) throws -> String {
    let found = tape[node]
    guard found.kind == .string || found.kind == .escapedString else {
      throw DecodingError.unexpected(found.kind, String.self, path(of: node))
    }
    guard let string = tape.string(of: found) else { throw tape.deferToFoundation() }
    return string
  }

  @inline(__always)
  func integer<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, at node: Int
  ) throws -> Value {
    let found = tape[node]
    guard found.kind == .integer || found.kind == .decimal else {
      throw DecodingError.unexpected(found.kind, type, path(of: node))
    }
    return try tape.integer(type, of: found) ?? foundationNumber(type, of: found, at: node)
  }

  @inline(__always)
  func floatingPoint<Value: DecimalRoundable>(
    _ type: Value.Type, at node: Int
  ) throws -> Value {
    let found = tape[node]
    guard found.kind == .integer || found.kind == .decimal else {
      throw DecodingError.unexpected(found.kind, type, path(of: node))
    }
    return try tape.floatingPoint(type, of: found) ?? foundationNumber(type, of: found, at: node)
  }

  private func foundationNumber<Value: Decodable>(
    _ type: Value.Type, of number: Node, at node: Int
  ) throws -> Value {
    if let value = tape.foundationNumber(type, of: number) { return value }
    let text = String(decoding: tape.text(of: number), as: UTF8.self)
    tape.numberError = .corrupted("\(text) is not representable as \(type)", path(of: node))
    throw tape.deferToFoundation()
  }

  /// Decodes the seconds since the reference date: the strategy `deferredToDate`.
  func date(at node: Int) throws -> Date {
    if isNull(at: node) { throw DecodingError.noValue(Date.self, path(of: node)) }
    return Date(
      timeIntervalSinceReferenceDate: try floatingPoint(Double.self, at: node))
  }

  func url(at node: Int) throws -> URL {
    if isNull(at: node) { throw DecodingError.noValue(URL.self, path(of: node)) }
    guard let url = URL(string: try string(at: node)) else {
      throw DecodingError.corrupted("Invalid URL string.", path(of: node))
    }
    return url
  }

  /// Decodes a string in Base64.
  func data(at node: Int) throws -> Data {
    let found = tape[node]
    if found.kind == .null { throw DecodingError.noValue(Data.self, path(of: node)) }
    guard found.kind == .string || found.kind == .escapedString else {
      throw DecodingError.mismatch(String.self, found.kind, path(of: node))
    }
    guard let data = Data(base64Encoded: try string(at: node)) else {
      throw DecodingError.corrupted("Encountered Data is not valid Base64.", path(of: node))
    }
    return data
  }

  func decimal(at node: Int) throws -> Decimal {
    let found = tape[node]
    switch found.kind {
    case .integer, .decimal: return try foundationNumber(Decimal.self, of: found, at: node)
    case .null: throw DecodingError.noValue(Decimal.self, path(of: node))
    default:
      throw DecodingError.typeMismatch(
        Decimal.self, .init(codingPath: path(of: node), debugDescription: ""))
    }
  }
}
