import FoundationEssentials
import PantryJSON
import Testing

@Suite struct LifetimeTests {
  private static let json =
    "{\"id\":\"a rather long identifier\",\"list\":[1,\"two \\u0033 long long text\",{\"x\":true}],\"n\":1e300}"

  @Test func `a retained container keeps working`() throws {
    let decoder = RowDecoder()
    let kept = try decode(decoder, Keeper.self)
    // Other rows in between must not change retained values.
    for number in 0..<3 {
      #expect(try decoder.decode([Int].self, from: Data("[\(number),2,3]".utf8)) == [number, 2, 3])
      #expect(try decode(decoder, Keeper.self).answers() == kept.answers())
    }
    let foundation = try JSONDecoder().decode(Keeper.self, from: Data(Self.json.utf8))
    #expect(kept.answers() == foundation.answers())
    #expect(decoder.foundationCount == 0)
  }

  @Test func `a row may be decoded while another is`() throws {
    let decoder = RowDecoder()
    decoder.userInfo[.inner] = Unchecked(decoder)
    let row = Data(#"[{"text":"[1,2]"},{"text":"[3]"},{"text":"[]"}]"#.utf8)
    #expect(try decoder.decode([Outer].self, from: row).map(\.numbers) == [[1, 2], [3], []])
    #expect(decoder.foundationCount == 0)
    let broken = Data(#"[{"text":"[1,2]"},{"text":"[3"}]"#.utf8)
    #expect(throws: DecodingError.self) { try decoder.decode([Outer].self, from: broken) }
    #expect(try decoder.decode([Outer].self, from: row).map(\.numbers) == [[1, 2], [3], []])
  }

  @Test func `types can read the user info`() throws {
    let decoder = RowDecoder()
    decoder.userInfo[.inner] = "here"
    expectSameAsFoundation([Informed].self, "[1,2]", by: .tape, decoder: decoder)
    expectSameAsFoundation([Informed].self, "[1,]", by: .foundation, decoder: decoder)
    #expect(try decoder.decode(Informed.self, from: Data("1".utf8)).text == "here")
    decoder.userInfo = [:]
    #expect(try decoder.decode(Informed.self, from: Data("1".utf8)).text == "none")
  }

  @Test func `Foundation can be selected by a switch`() throws {
    let decoder = RowDecoder(usesFoundation: true)
    #expect(try decoder.decode([Int].self, from: Data("[1]".utf8)) == [1])
    #expect(decoder.foundationCount == 1)
  }

  @Test func `documents without braces are left to Foundation`() throws {
    let foundation = JSONDecoder()
    foundation.assumesTopLevelDictionary = true
    let decoder = RowDecoder()
    decoder.userInfo = foundation.userInfo
    expectSameAsFoundation([String: Int].self, "\"a\":1,\"b\":2", by: .foundation, decoder: decoder)
  }

  @Test func `an error in the middle leaves nothing behind`() {
    let decoder = RowDecoder()
    for _ in 0..<3 {
      expectSameAsFoundation(
        [[[Int]]].self, "[[[1,2],[3,\"x\"]]]", by: .foundation, decoder: decoder)
      expectSameAsFoundation([[[Int]]].self, "[[[1,2],[3,4]]]", by: .tape, decoder: decoder)
    }
  }

  @Test func `a large row is followed by small ones`() {
    let decoder = RowDecoder()
    let large = "[" + Array(repeating: "1", count: 200_000).joined(separator: ",") + "]"
    expectSameAsFoundation([Int].self, large, by: .tape, decoder: decoder)
    expectSameAsFoundation([Int].self, "[1]", by: .tape, decoder: decoder)
  }

  private func decode<Value: Decodable>(_ decoder: RowDecoder, _ type: Value.Type) throws -> Value {
    // The bytes are gone after the call.
    try decoder.decode(type, from: Data(Self.json.utf8))
  }
}

extension CodingUserInfoKey {
  fileprivate static let inner = CodingUserInfoKey(rawValue: "inner")!
}

private struct Unchecked: @unchecked Sendable {
  let decoder: RowDecoder

  init(_ decoder: RowDecoder) { self.decoder = decoder }
}

/// Keeps everything that a decoder hands out.
private struct Keeper: Decodable {
  let decoder: any Decoder
  let keyed: KeyedDecodingContainer<AnyKey>
  let list: any UnkeyedDecodingContainer

  init(from decoder: any Decoder) throws {
    self.decoder = decoder
    keyed = try decoder.container(keyedBy: AnyKey.self)
    list = try keyed.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "list"))
  }

  func answers() -> [String] {
    var list = list
    return [
      { "\(try keyed.decode(String.self, forKey: AnyKey(stringValue: "id")))" },
      { "\(try keyed.decode(Double.self, forKey: AnyKey(stringValue: "n")))" },
      { "\(try keyed.decode(Int.self, forKey: AnyKey(stringValue: "none")))" },
      { "\(keyed.allKeys.count) \(keyed.codingPath)" },
      { "\(try list.decode(Int.self)) \(try list.decode(String.self)) \(list.codingPath)" },
      { "\(try list.decode([String: Bool].self)) \(list.isAtEnd)" },
      { "\(try decoder.container(keyedBy: AnyKey.self).allKeys.count) \(decoder.codingPath)" },
      { "\(try decoder.unkeyedContainer().codingPath)" },
    ].map { (answer: () throws -> String) in
      do { return withoutKeyTypes(try answer()) } catch {
        return withoutKeyTypes(String(reflecting: error))
      }
    }
  }
}

/// A row inside of a row.
private struct Outer: Decodable, Equatable {
  let numbers: [Int]

  private enum CodingKeys: CodingKey { case text }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .text)
    let inner = decoder.userInfo[.inner] as? Unchecked
    numbers = try inner?.decoder.decode([Int].self, from: Data(text.utf8)) ?? []
  }
}

private struct Informed: Decodable, Equatable {
  let text: String

  init(from decoder: any Decoder) throws {
    text = decoder.userInfo[.inner] as? String ?? "none"
  }
}
