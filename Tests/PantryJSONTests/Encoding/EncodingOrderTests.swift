import FoundationEssentials
import PantryJSON
import Testing

/// Calls in an order in which a row cannot be written at once: Foundation's encoder writes it.
@Suite struct EncodingOrderTests {
  @Test func `a member that is encoded twice has its last value`() {
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(1, forKey: "a")
      try object.encode(2, forKey: "b")
      try object.encode(3, forKey: "a")
    }
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      for number in 0..<60 { try object.encode(number, forKey: AnyKey("key\(number % 59)")) }
    }
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      var inner = object.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
      try inner.encode(1, forKey: "b")
      inner = object.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
      try inner.encode(2, forKey: "c")
    }
  }

  @Test(arguments: [
    ["é", "e\u{301}"], ["K", "\u{212A}"], ["\u{212A}", "K"], ["\u{37E}", ";"],
    ["`", "\u{1FEF}"], ["Å", "\u{212B}", "A\u{30A}"], ["x\u{212A}", "xK"],
  ])
  func `names that are equal strings, with other bytes, are members of their own`(
    _ names: [String]
  ) throws {
    struct Members: Codable {
      var values: [(name: String, value: Int)]

      init(_ names: [String]) {
        values = names.enumerated().map { ($1, $0) }
      }

      init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: AnyKey.self)
        values = try object.allKeys.map { key in
          (key.stringValue, try object.decode(Int.self, forKey: key))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: AnyKey.self)
        for (name, value) in values { try object.encode(value, forKey: AnyKey(stringValue: name)) }
      }
    }
    let encoder = RowEncoder()
    let row = try encoder.encode(Members(names))
    #expect(encoder.foundationCount == 0)
    let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
    #expect(row == Data("{\(members)}".utf8))
    let found = try RowDecoder().decode(Members.self, from: row).values
    for (number, name) in names.enumerated() {
      #expect(found.first { $0.name.utf8.elementsEqual(name.utf8) }?.value == number)
    }
    // A dictionary cannot hold both: the first counts, as in Foundation.
    #expect(try RowDecoder().decode([String: Int].self, from: row) == [names[0]: 0])
  }

  @Test func `containers may be written in turn`() {
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      var first = object.nestedContainer(keyedBy: AnyKey.self, forKey: "first")
      var second = object.nestedUnkeyedContainer(forKey: "second")
      try second.encode(1)
      try first.encode(2, forKey: "a")
      try second.encode(3)
      try object.encode(4, forKey: "third")
      try first.encode(5, forKey: "b")
    }
    expectSame { encoder in
      var list = encoder.unkeyedContainer()
      var first = list.nestedUnkeyedContainer()
      try list.encode("x")
      try first.encode("y")
    }
  }

  @Test func `a super encoder may be used late`() {
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      let late = object.superEncoder()
      let named = object.superEncoder(forKey: "named")
      try object.encode(1, forKey: "a")
      try [1, 2].encode(to: late)
      try "text".encode(to: named)
    }
    expectSame { encoder in
      var list = encoder.unkeyedContainer()
      let late = list.superEncoder()
      try list.encode(1)
      try [1, 2].encode(to: late)
      try list.encode(list.count)
    }
  }

  @Test func `an encoder is asked again after an element`() {
    expectSame(by: .direct) { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      var same = encoder.unkeyedContainer()
      try same.encode(2)
      try list.encode([same.count, list.count])
    }
    expectSame(by: .direct) { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(1, forKey: "a")
      var same = encoder.container(keyedBy: FuzzedKey.self)
      try same.encode(2, forKey: .b)
      try object.encode([3], forKey: "c")
    }
  }

  @Test func `a type may catch an error and go on`() {
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(1, forKey: "a")
      #expect(throws: (any Error).self) { try object.encode(Double.nan, forKey: "b") }
      #expect(throws: (any Error).self) { try object.encode(Thrower(), forKey: "c") }
      try object.encode(2, forKey: "c")
    }
    expectSame { encoder in
      var list = encoder.unkeyedContainer()
      #expect(throws: (any Error).self) { try list.encode(Thrower()) }
      try list.encode(list.count)
    }
  }

  @Test func `errors are Foundation's own`() {
    expectSameEncoding(Thrower(), by: .foundation)
    expectSameEncoding([["a": [Thrower()]]], by: .foundation)
    expectSameEncoding(["a": [1, Double.nan]], by: .foundation)
  }

  @Test func `a type may ask for its path`() {
    expectSame { encoder in
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode("\(encoder.codingPath) \(object.codingPath)", forKey: "a")
    }
    expectSameEncoding([["a": [PathTeller()]]], by: .foundation)
  }

  private func expectSame(
    by route: EncodingRoute = .foundation, sourceLocation: SourceLocation = #_sourceLocation,
    _ encode: @escaping (any Encoder) throws -> Void
  ) {
    let value = ClosureEncodable(encode: encode)
    expectSameEncoding(value, by: route, sourceLocation: sourceLocation)
    expectSameEncoding([["a": value]], by: route, sourceLocation: sourceLocation)
  }
}

extension AnyKey: ExpressibleByStringLiteral {
  init(stringLiteral name: String) { self.init(stringValue: name) }
  init(_ name: String) { self.init(stringValue: name) }
}

private enum FuzzedKey: CodingKey { case b }

private struct ClosureEncodable: Encodable {
  let encode: (any Encoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try encode(encoder) }
}

/// Encodes a part of itself, then throws.
private struct Thrower: Encodable {
  struct Failure: Error {}

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    try object.encode(1, forKey: "part")
    throw Failure()
  }
}

private struct PathTeller: Encodable {
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(encoder.codingPath.map(\.stringValue))
    try list.encode(list.codingPath.map(\.intValue))
    var object = list.nestedContainer(keyedBy: AnyKey.self)
    try object.encode(object.codingPath.map(\.stringValue), forKey: "path")
    try list.encode("\(list.superEncoder().codingPath)")
  }
}
