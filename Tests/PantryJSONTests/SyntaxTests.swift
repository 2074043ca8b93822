import FoundationEssentials
import PantryJSON
import Testing

@Suite struct SyntaxTests {
  @Test func `there are as many cases as in JSONTestSuite`() {
    #expect(SyntaxCases.accepted.count >= 95)
    #expect(SyntaxCases.refused.count >= 188)
    #expect(SyntaxCases.undecided.count >= 35)
  }

  @Test func `valid documents are accepted`() {
    let decoder = RowDecoder()
    for json in SyntaxCases.accepted {
      #expect(expectSameAsFoundation(Tree.self, json, decoder: decoder).isValue, "\(json)")
      expectSame(Data(json.utf8), decoder)
    }
  }

  @Test func `valid structures and strings need no help from Foundation`() {
    for json in SyntaxCases.acceptedStructures + SyntaxCases.acceptedStrings
      + SyntaxCases.acceptedEscapes
    where !json.contains("e+") {
      expectSameAsFoundation(Tree.self, json, by: .tape)
    }
  }

  @Test func `invalid documents are refused, unless Foundation tolerates them`() {
    let decoder = RowDecoder()
    var tolerated: [String] = []
    for data in SyntaxCases.refused {
      let found = expectSameAsFoundation(Tree.self, data, by: .foundation, decoder: decoder)
      if found.isValue { tolerated.append(String(decoding: data, as: UTF8.self)) }
      expectSame(data, decoder)
    }
    #expect(tolerated == ["[1,]", "[\"\",]", "{\"a\":1,}", "1\0"])
  }

  @Test func `documents that the standard leaves open decode as with Foundation`() {
    let decoder = RowDecoder()
    for data in SyntaxCases.undecided {
      expectSameAsFoundation(Tree.self, data, decoder: decoder)
      expectSame(data, decoder)
    }
  }

  @Test func `deep nesting behaves as with Foundation`() {
    let decoder = RowDecoder()
    for data in SyntaxCases.nestings {
      expectSameAsFoundation(Depth.self, data, decoder: decoder)
      expectSameAsFoundation(Ignored.self, data, decoder: decoder)
    }
  }

  @Test func `brackets at the end, at which Foundation traps, are refused`() throws {
    let brackets = String(repeating: "[", count: 513)
    let little16 = brackets.utf8.flatMap { [$0, UInt8(0)] }
    for data in [Data(brackets.utf8), Data(little16), Data([0xFF, 0xFE] + little16)] {
      let expected = Outcome { try JSONDecoder().decode(Ignored.self, from: data.dropLast(100)) }
      let found = Outcome { try RowDecoder().decode(Ignored.self, from: data) }
      #expect(found == expected)
    }
  }

  @Test func `a document may be a slice`() {
    let data = Data("xx[1,2]yy".utf8)
    expectSameAsFoundation([Int].self, data[2..<7], by: .tape)
    expectSameAsFoundation([Int].self, data[2..<8])
    expectSameAsFoundation([Int].self, data[2..<2])
  }

  /// Asks for other types, which see or skip other parts of a document.
  private func expectSame(_ data: Data, _ decoder: RowDecoder) {
    expectSameAsFoundation(Ignored.self, data, decoder: decoder)
    expectSameAsFoundation([String: Ignored].self, data, decoder: decoder)
    expectSameAsFoundation(Int.self, data, decoder: decoder)
    expectSameAsFoundation(UInt128.self, data, decoder: decoder)
    expectSameAsFoundation([Bits<Double>].self, data, decoder: decoder)
    expectSameAsFoundation(Bits<Float>.self, data, decoder: decoder)
    expectSameAsFoundation(Decimal.self, data, decoder: decoder)
    expectSameAsFoundation(String.self, data, decoder: decoder)
    expectSameAsFoundation([String: String].self, data, decoder: decoder)
  }
}

/// A value that decodes nothing.
struct Ignored: Decodable, Equatable {
  init(from decoder: any Decoder) {}
}

/// A number of which every bit counts.
struct Bits<Value: BinaryFloatingPoint & Decodable>: Decodable, Equatable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  static func == (one: Bits, other: Bits) -> Bool {
    one.value == other.value && one.value.sign == other.value.sign
  }
}

/// The depth of the first elements of nested arrays and objects.
private struct Depth: Decodable, Equatable {
  var depth = 0

  init(from decoder: any Decoder) throws {
    if var array = try? decoder.unkeyedContainer() {
      if !array.isAtEnd { depth = try array.decode(Depth.self).depth + 1 }
    } else if let object = try? decoder.container(keyedBy: AnyKey.self),
      let key = object.allKeys.first
    {
      depth = try object.decode(Depth.self, forKey: key).depth + 1
    }
  }
}
