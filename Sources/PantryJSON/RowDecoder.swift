package import FoundationEssentials

/// Decodes one JSON row after another, faster than Foundation and with the same results.
///
/// It decodes plain, strict JSON by itself. On any error, and for any other row, Foundation's
/// decoder is the fallback, and decodes the whole row again. So every error is Foundation's own,
/// and an `init(from:)` may be called twice for one row. Only the error of a number that its type
/// cannot represent is this one's, since Foundation's does not have the path of the number. The
/// steps of a `codingPath` are the names in the document, not keys of the type's own.
///
/// Not Sendable: each task makes its own.
package final class RowDecoder {
  package var userInfo: [CodingUserInfoKey: any Sendable] = [:] {
    didSet {
      foundation.userInfo = userInfo
      decoderUserInfo = userInfo
      // JSONDecoder.assumesTopLevelDictionary is kept under this key and is not JSON.
      isUnusual = userInfo.keys.contains { $0.rawValue == "_NSAssumesTopLevelDictionaryJSON5" }
    }
  }

  package private(set) var foundationCount = 0

  private let usesFoundation: Bool
  private let foundation = JSONDecoder()
  private var isUnusual = false
  private var decoderUserInfo: [CodingUserInfoKey: Any] = [:]
  /// The tape of the last row, unless it is in use or retained by a type.
  private var idle: Tape?
  /// The error of a number in the last row; see ``Tape/numberError``.
  private var numberError: DecodingError?

  /// - Parameter usesFoundation: whether Foundation decodes every row.
  package init(usesFoundation: Bool = false) {
    self.usesFoundation = usesFoundation
  }

  /// Decodes a value of `type` from a JSON document.
  ///
  /// - Throws: what `JSONDecoder` throws.
  package func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    numberError = nil
    if !usesFoundation && !isUnusual {
      do {
        return try decodeFromTape(type, data)
      } catch {
        // Foundation finds the same error, with its own text.
      }
    }
    foundationCount += 1
    do {
      return try decodeWithFoundation(type, data)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw numberError ?? .dataCorrupted(context)
    }
  }

  /// Decodes `data` with Foundation, unless that would end the process.
  ///
  /// Foundation's scanner reads the byte after a bracket that is nested too deeply, and traps if
  /// there is none. No JSON ends in such a bracket, in any encoding: NULs are a part of UTF-16.
  private func decodeWithFoundation<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) throws -> Value {
    guard data.last(where: { $0 != 0 }) != UInt8(ascii: "[") else {
      throw DecodingError.corrupted("The given data was not valid JSON.", [])
    }
    return try foundation.decode(type, from: data)
  }

  /// Decodes `data` without Foundation.
  ///
  /// - Throws: any error if Foundation has to decide.
  private func decodeFromTape<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) throws -> Value {
    try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Value in
      // A type may decode a row while it is decoded from one: each has its own tape.
      var tape = idle ?? Tape()
      idle = nil
      defer {
        // A super decoder retained by a type refers to the tape.
        if !tape.isKept && isKnownUniquelyReferenced(&tape) {
          tape.removeAll()
          idle = tape
        } else {
          tape.keepBytes()
        }
      }
      guard tape.scan(bytes.bindMemory(to: UInt8.self)) else { throw DeferredToFoundation() }
      return try decodeScanned(type, tape)
    }
  }

  private func decodeScanned<Value: Decodable>(
    _ type: Value.Type, _ tape: Tape
  ) throws -> Value {
    var decoder = ValueDecoder(tape: tape, userInfo: decoderUserInfo)
    // A type may retain the decoder or one of its containers.
    defer { if !isKnownUniquelyReferenced(&decoder) { tape.isKept = true } }
    defer { numberError = tape.numberError }
    let value = try decoder.decode(type, at: Tape.root)
    if tape.isInDoubt { throw DeferredToFoundation() }
    return value
  }
}
