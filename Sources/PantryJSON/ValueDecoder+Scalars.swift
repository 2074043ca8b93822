internal import FoundationEssentials

extension ValueDecoder {
  @inline(__always)
  func isNull(at node: Int) -> Bool { tape[node].kind == .null }

  /// For a null in place of a Bool, Foundation reports a type mismatch, not a missing value.
  @inline(__always)
  func bool(at node: Int, path: @autoclosure () -> CodingPath) throws -> Bool {
    switch tape[node].kind {
    case .true: return true
    case .false: return false
    case let kind: throw DecodingError.mismatch(Bool.self, kind, path())
    }
  }

  @inline(__always)
  func string(at node: Int, path: @autoclosure () -> CodingPath) throws -> String {
    let found = tape[node]
    guard found.kind == .string || found.kind == .escapedString else {
      throw DecodingError.unexpected(found.kind, String.self, path())
    }
    guard let string = tape.string(of: found) else { throw tape.deferToFoundation() }
    return string
  }

  @inline(__always)
  func integer<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, at node: Int, path: @autoclosure () -> CodingPath
  ) throws -> Value {
    let found = tape[node]
    guard found.kind == .integer || found.kind == .decimal else {
      throw DecodingError.unexpected(found.kind, type, path())
    }
    return try tape.integer(type, of: found) ?? foundationNumber(type, of: found, path())
  }

  @inline(__always)
  func floatingPoint<Value: DecimalRoundable>(
    _ type: Value.Type, at node: Int, path: @autoclosure () -> CodingPath
  ) throws -> Value {
    let found = tape[node]
    guard found.kind == .integer || found.kind == .decimal else {
      throw DecodingError.unexpected(found.kind, type, path())
    }
    return try tape.floatingPoint(type, of: found) ?? foundationNumber(type, of: found, path())
  }

  private func foundationNumber<Value: Decodable>(
    _ type: Value.Type, of node: Node, _ path: @autoclosure () -> CodingPath
  ) throws -> Value {
    if let value = tape.foundationNumber(type, of: node) { return value }
    let text = String(decoding: tape.text(of: node), as: UTF8.self)
    tape.numberError = .corrupted("\(text) is not representable as \(type)", path())
    throw tape.deferToFoundation()
  }

  /// Decodes the seconds since the reference date: the strategy `deferredToDate`.
  func date(at node: Int, path: @autoclosure () -> CodingPath) throws -> Date {
    if isNull(at: node) { throw DecodingError.noValue(Date.self, path()) }
    return Date(
      timeIntervalSinceReferenceDate: try floatingPoint(Double.self, at: node, path: path()))
  }

  func url(at node: Int, path: @autoclosure () -> CodingPath) throws -> URL {
    if isNull(at: node) { throw DecodingError.noValue(URL.self, path()) }
    guard let url = URL(string: try string(at: node, path: path())) else {
      throw DecodingError.corrupted("Invalid URL string.", path())
    }
    return url
  }

  /// Decodes a string in Base64.
  func data(at node: Int, path: @autoclosure () -> CodingPath) throws -> Data {
    let found = tape[node]
    if found.kind == .null { throw DecodingError.noValue(Data.self, path()) }
    guard found.kind == .string || found.kind == .escapedString else {
      throw DecodingError.mismatch(String.self, found.kind, path())
    }
    guard let data = Data(base64Encoded: try string(at: node, path: path())) else {
      throw DecodingError.corrupted("Encountered Data is not valid Base64.", path())
    }
    return data
  }

  func decimal(at node: Int, path: @autoclosure () -> CodingPath) throws -> Decimal {
    let found = tape[node]
    switch found.kind {
    case .integer, .decimal: return try foundationNumber(Decimal.self, of: found, path())
    case .null: throw DecodingError.noValue(Decimal.self, path())
    default:
      throw DecodingError.typeMismatch(
        Decimal.self, .init(codingPath: path().keys, debugDescription: ""))
    }
  }
}
