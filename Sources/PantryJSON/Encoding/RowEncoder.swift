package import FoundationEssentials

/// Encodes one value after another as JSON rows, faster than Foundation and with the same meaning.
///
/// Values are written as they are encoded, with no tree in between. On any error, and wherever the
/// order of calls or a value is unusual, Foundation's encoder is the fallback, and encodes the
/// whole value again. So every error is Foundation's own, and an `encode(to:)` may be called twice
/// for one row. Slashes are not escaped. Members are in the order in which they are encoded.
///
/// Not Sendable: each task makes its own.
package final class RowEncoder {
  package var userInfo: [CodingUserInfoKey: any Sendable] = [:] {
    didSet {
      encoderUserInfo = userInfo
      foundation?.userInfo = userInfo
    }
  }

  package private(set) var foundationCount = 0

  private let usesFoundation: Bool
  private var foundation: JSONEncoder?
  private var encoderUserInfo: [CodingUserInfoKey: Any] = [:]
  /// The output of the last row, unless it is in use or retained by a type.
  private var idle: RowOutput?

  /// - Parameter usesFoundation: whether Foundation encodes every row.
  package init(usesFoundation: Bool = false) {
    self.usesFoundation = usesFoundation
  }

  /// Encodes `value` as a JSON document.
  ///
  /// - Parameter prepare: called before each time that `value` is encoded: once or twice.
  /// - Throws: what `JSONEncoder` throws.
  package func encode<Value: Encodable>(
    _ value: Value, prepare: () -> Void = {}
  ) throws -> Data {
    if !usesFoundation {
      prepare()
      if let data = encodeDirectly(value) { return data }
    }
    foundationCount += 1
    prepare()
    return try foundationEncoder().encode(value)
  }

  /// Encodes `value` without Foundation; nil if Foundation has to decide.
  private func encodeDirectly<Value: Encodable>(_ value: Value) -> Data? {
    // A type may encode a row while it is encoded to one: each has its own output.
    var output = idle ?? RowOutput()
    idle = nil
    let data = output.encode(value, userInfo: encoderUserInfo)
    // A type may retain an encoder or a container, which refers to the output.
    if isKnownUniquelyReferenced(&output) { idle = output }
    return data
  }

  private func foundationEncoder() -> JSONEncoder {
    if let foundation { return foundation }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.userInfo = userInfo
    foundation = encoder
    return encoder
  }
}
