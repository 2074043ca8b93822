import FoundationEssentials
import PantryJSON
import Testing

@Suite struct EncodingLifetimeTests {
  @Test func `writing to a retained container does not change later rows`() throws {
    let encoder = RowEncoder()
    let keeper = Keeper()
    #expect(try text(encoder.encode(keeper)) == #"{"list":[1]}"#)
    for _ in 0..<3 {
      #expect(throws: (any Error).self) { try keeper.keyed?.encode(2, forKey: "a") }
      #expect(throws: (any Error).self) { try keeper.list?.encode(3) }
      #expect(throws: (any Error).self) { try "x".encode(to: #require(keeper.encoder)) }
      #expect(try text(encoder.encode([4])) == "[4]")
      #expect(encoder.foundationCount == 0)
    }
  }

  @Test func `writing to a retained container does not change other values of its row`() {
    // It writes to containers of the value before.
    expectSameEncoding([Keeper(), Keeper(), Keeper()], by: .direct)
    let keeper = Keeper()
    keeper.continues = true
    expectSameEncoding([keeper], by: .direct)
    let encoder = RowEncoder()
    #expect(throws: Never.self) { try encoder.encode([keeper, keeper]) }
    #expect(encoder.foundationCount == 1)
  }

  @Test func `a row may be encoded while another is`() throws {
    let encoder = RowEncoder()
    let outer = try encoder.encode([Outer(encoder: encoder), Outer(encoder: encoder)])
    #expect(text(outer) == #"["[1,2]","[1,2]"]"#)
    #expect(encoder.foundationCount == 0)
  }

  @Test func `types can read the user info while encoded`() throws {
    let encoder = RowEncoder()
    encoder.userInfo[.note] = "here"
    expectSameEncoding([Informed(), Informed()], by: .direct, encoder: encoder)
    #expect(try text(encoder.encode(Informed())) == "\"here\"")
    expectSameEncoding([Informed(number: .nan)], by: .foundation, encoder: encoder)
    encoder.userInfo[.note] = "there"
    #expect(try text(encoder.encode(Informed())) == "\"there\"")
    #expect(try text(encoder.encode(Informed(number: 1))) == "[\"there\",1]")
  }

  @Test func `preparation comes before each attempt`() throws {
    let encoder = RowEncoder()
    var count = 0
    _ = try encoder.encode([1]) { count += 1 }
    #expect(count == 1)
    #expect(throws: EncodingError.self) { try encoder.encode([Double.nan]) { count += 1 } }
    #expect(count == 3)
  }

  @Test func `Foundation can be selected as encoder by a switch`() throws {
    let encoder = RowEncoder(usesFoundation: true)
    #expect(try text(encoder.encode(["a/b"])) == #"["a/b"]"#)
    #expect(encoder.foundationCount == 1)
  }

  @Test func `an error in the middle leaves nothing behind in the encoder`() {
    let encoder = RowEncoder()
    for _ in 0..<3 {
      expectSameEncoding(["a": [1, Double.nan]], by: .foundation, encoder: encoder)
      expectSameEncoding(["a": [1, 2]], by: .direct, encoder: encoder)
    }
  }

  @Test func `a large row is followed by small ones in the encoder`() throws {
    let encoder = RowEncoder()
    let large = String(repeating: "x", count: 1_500_000)
    #expect(try encoder.encode(large).count == large.utf8.count + 2)
    try expectSameRow([1], encoder: encoder)
    #expect(try encoder.encode(Data(large.utf8)).count == 2_000_002)
    try expectSameRow(["a": 1], encoder: encoder)
  }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}

extension CodingUserInfoKey {
  fileprivate static let note = CodingUserInfoKey(rawValue: "note")!
}

/// Keeps everything that an encoder hands out.
private final class Keeper: Encodable {
  var encoder: (any Encoder)?
  var keyed: KeyedEncodingContainer<AnyKey>?
  var list: (any UnkeyedEncodingContainer)?
  /// Whether it first writes to what it has kept of the time before.
  var continues = false

  func encode(to encoder: any Encoder) throws {
    if continues { try? list?.encode(5) }
    self.encoder = encoder
    var keyed = encoder.container(keyedBy: AnyKey.self)
    var list = keyed.nestedUnkeyedContainer(forKey: "list")
    try list.encode(1)
    self.keyed = keyed
    self.list = list
  }
}

/// A row inside of a row.
private struct Outer: Encodable {
  let encoder: RowEncoder

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: try self.encoder.encode([1, 2]), as: UTF8.self))
  }
}

private struct Informed: Encodable {
  var number: Double?

  func encode(to encoder: any Encoder) throws {
    let note = encoder.userInfo[.note] as? String ?? "none"
    guard let number else { return try note.encode(to: encoder) }
    var list = encoder.unkeyedContainer()
    try list.encode(note)
    try list.encode(number)
  }
}
