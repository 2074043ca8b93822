import FoundationEssentials
import PantryJSON
import Testing

/// Which encoder the row came from.
enum EncodingRoute {
  case direct, foundation
}

/// Encodes `value` with both encoders and expects rows of the same meaning, or errors in equal
/// words.
///
/// - Parameter route: the encoder that must have written the row, if it matters.
@discardableResult
func expectSameEncoding<Value: Encodable>(
  _ value: Value, by route: EncodingRoute? = nil, encoder: RowEncoder = RowEncoder(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> Data? {
  let foundation = JSONEncoder()
  foundation.outputFormatting = .withoutEscapingSlashes
  foundation.userInfo = encoder.userInfo
  let expected = Outcome { Document(try foundation.encode(value)) }
  let count = encoder.foundationCount
  var data: Data?
  let found = Outcome {
    data = try encoder.encode(value)
    return Document(data ?? Data())
  }
  // Nothing is left of a row in the next one.
  let again = Outcome { Document(try encoder.encode(value)) }
  #expect(found == expected, sourceLocation: sourceLocation)
  #expect(again == expected, sourceLocation: sourceLocation)
  if let route {
    let written: EncodingRoute = encoder.foundationCount == count ? .direct : .foundation
    #expect(written == route, "\(Value.self)", sourceLocation: sourceLocation)
  }
  return data
}

/// Does the same, and expects both decoders to give `value` back.
func expectSameRow<Value: Codable & Equatable>(
  _ value: Value, by route: EncodingRoute? = .direct, encoder: RowEncoder = RowEncoder(),
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let data = try #require(
    expectSameEncoding(value, by: route, encoder: encoder, sourceLocation: sourceLocation))
  let text = String(decoding: data.prefix(200), as: UTF8.self)
  let byFoundation = try JSONDecoder().decode(Value.self, from: data)
  #expect(byFoundation == value, "\(text)", sourceLocation: sourceLocation)
  let byTape = try RowDecoder().decode(Value.self, from: data)
  #expect(byTape == value, "\(text)", sourceLocation: sourceLocation)
}

/// A row as another one may have it: with its members in another order.
///
/// The bytes find what a tree does not, such as the last digits of long numbers, and members that
/// occur twice.
struct Document: Equatable {
  let tree: Tree?
  /// How often each byte occurs.
  let byteCounts: [Int]

  init(_ data: Data) {
    tree = try? JSONDecoder().decode(Tree.self, from: data)
    var counts = Array(repeating: 0, count: 256)
    for byte in Array(data) { counts[Int(byte)] += 1 }
    byteCounts = counts
  }
}

extension Document: CustomDebugStringConvertible {
  var debugDescription: String { "\(tree as Any) \(byteCounts)" }
}
