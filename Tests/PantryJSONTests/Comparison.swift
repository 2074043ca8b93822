import FoundationEssentials
import PantryJSON
import Testing

/// What came of a decode: a value, or the words of an error.
enum Outcome<Value: Equatable>: Equatable {
  case value(Value)
  case error(String)

  init(_ decode: () throws -> Value) {
    do {
      self = .value(try decode())
    } catch {
      self = .error(String(reflecting: error))
    }
  }

  var isValue: Bool {
    if case .value = self { true } else { false }
  }
}

/// Which decoder the answer came from.
enum Route {
  case tape, foundation
}

/// Decodes `data` with both decoders and expects equal values, or errors in equal words.
///
/// - Parameter route: the decoder that must have answered, if it matters.
@discardableResult
func expectSameAsFoundation<Value: Decodable & Equatable>(
  _ type: Value.Type, _ data: Data, by route: Route? = nil, decoder: RowDecoder = RowDecoder(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome<Value> {
  let foundation = JSONDecoder()
  foundation.userInfo = decoder.userInfo
  let expected = Outcome { try foundation.decode(type, from: data) }
  let count = decoder.foundationCount
  let found = Outcome { try decoder.decode(type, from: data) }
  // Nothing is left of a row in the next one.
  let again = Outcome { try decoder.decode(type, from: data) }
  let text = String(decoding: data.prefix(200), as: UTF8.self)
  for (name, outcome) in [("first", found), ("second", again)] where outcome != expected {
    // Foundation stops at the first error in a dictionary, whose order depends on its address. It
    // was asked in each of these cases.
    if !outcome.isValue, !expected.isValue, decoder.foundationCount == count + 2,
      data.contains(UInt8(ascii: "{"))
    {
      continue
    }
    // Foundation refuses a number that does not fit too, but does not say which.
    if case .error(let words) = outcome, words.contains("is not representable as"),
      decoder.foundationCount == count + 2, case .error(let expected) = expected,
      expected.hasPrefix("DecodingError.dataCorrupted: Data was corrupted. Debug description:")
    {
      continue
    }
    Issue.record(
      "\(type), \(name) decode of \(text): \(difference(outcome, expected))",
      sourceLocation: sourceLocation)
  }
  if let route {
    let answered: Route = decoder.foundationCount == count ? .tape : .foundation
    #expect(answered == route, "\(type): \(text)", sourceLocation: sourceLocation)
  }
  return found
}

/// Like the function for data, for the UTF-8 of `json`.
@discardableResult
func expectSameAsFoundation<Value: Decodable & Equatable>(
  _ type: Value.Type, _ json: String, by route: Route? = nil, decoder: RowDecoder = RowDecoder(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome<Value> {
  expectSameAsFoundation(
    type, Data(json.utf8), by: route, decoder: decoder, sourceLocation: sourceLocation)
}

/// Encodes `value` and expects both decoders to give it back.
func expectRoundTrip<Value: Codable & Equatable>(
  _ value: Value, by route: Route = .tape, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let data = try JSONEncoder().encode(value)
  let found = expectSameAsFoundation(Value.self, data, by: route, sourceLocation: sourceLocation)
  #expect(found == .value(value), sourceLocation: sourceLocation)
}

/// The first part in which two descriptions differ.
private func difference(_ found: some Any, _ expected: some Any) -> String {
  let (found, expected) = (Array("\(found)"), Array("\(expected)"))
  let same = zip(found, expected).prefix { $0 == $1 }.count
  let start = max(0, same - 60)
  return "found …\(String(found.dropFirst(start).prefix(200)))… "
    + "instead of …\(String(expected.dropFirst(start).prefix(200)))…"
}
