import FoundationEssentials
import PantryJSON
import Testing

@Suite struct FeatureTests {
  @Test func `integers of all widths`() throws {
    try expectRoundTrip([Int8.min, 0, .max])
    try expectRoundTrip([Int16.min, 0, .max])
    try expectRoundTrip([Int32.min, 0, .max])
    try expectRoundTrip([Int64.min, 0, .max])
    try expectRoundTrip([Int.min, 0, .max])
    try expectRoundTrip([UInt8.min, .max])
    try expectRoundTrip([UInt16.min, .max])
    try expectRoundTrip([UInt32.min, .max])
    try expectRoundTrip([UInt64.min, .max])
    try expectRoundTrip([UInt.min, .max])
    expectSameAsFoundation([Int128].self, "[\(Int128.min),0,\(Int128.max)]", by: .tape)
    expectSameAsFoundation([UInt128].self, "[0,\(UInt128.max)]", by: .tape)
    for json in ["128", "-129", "-1", "256", "1.0", "1e2", "1.5", "-0", "99999999999999999999"] {
      expectSameAsFoundation(Int8.self, json)
      expectSameAsFoundation(UInt8.self, json)
      expectSameAsFoundation(Int.self, json)
      expectSameAsFoundation(UInt64.self, json)
      expectSameAsFoundation(Int128.self, json)
    }
  }

  private struct OptionalNumbers: Codable, Equatable {
    var a: Int8?
    var b: Int16?
    var c: UInt?
    var d: UInt16?
    var e: UInt32?
    var f: UInt64?
  }

  @Test func `optional integers of all widths`() throws {
    try expectRoundTrip([
      OptionalNumbers(a: -1, b: .min, c: .max, d: .max, e: .max, f: .max), OptionalNumbers(a: 1),
    ])
  }

  /// Reads numbers of each type from an array: one that is there, and one that may be.
  private struct EveryNumber: Decodable, Equatable {
    var sums: [Int] = []

    init(sums: [Int]) { self.sums = sums }

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      sums.append(Int(try values.decode(Int8.self)))
      sums.append(Int(try values.decodeIfPresent(Int8.self) ?? 0))
      sums.append(Int(try values.decode(Int16.self)))
      sums.append(Int(try values.decodeIfPresent(Int16.self) ?? 0))
      sums.append(Int(try values.decode(Int32.self)))
      sums.append(Int(try values.decodeIfPresent(Int32.self) ?? 0))
      sums.append(Int(try values.decode(Int64.self)))
      sums.append(Int(try values.decodeIfPresent(Int64.self) ?? 0))
      sums.append(Int(try values.decode(Int128.self)))
      sums.append(Int(try values.decodeIfPresent(Int128.self) ?? 0))
      sums.append(try values.decode(Int.self))
      sums.append(try values.decodeIfPresent(Int.self) ?? 0)
      sums.append(Int(try values.decode(UInt8.self)))
      sums.append(Int(try values.decodeIfPresent(UInt8.self) ?? 0))
      sums.append(Int(try values.decode(UInt16.self)))
      sums.append(Int(try values.decodeIfPresent(UInt16.self) ?? 0))
      sums.append(Int(try values.decode(UInt32.self)))
      sums.append(Int(try values.decodeIfPresent(UInt32.self) ?? 0))
      sums.append(Int(try values.decode(UInt64.self)))
      sums.append(Int(try values.decodeIfPresent(UInt64.self) ?? 0))
      sums.append(Int(try values.decode(UInt128.self)))
      sums.append(Int(try values.decodeIfPresent(UInt128.self) ?? 0))
      sums.append(Int(try values.decode(UInt.self)))
      sums.append(Int(try values.decodeIfPresent(UInt.self) ?? 0))
      sums.append(Int(try values.decode(Float.self)))
      sums.append(Int(try values.decodeIfPresent(Float.self) ?? 0))
      sums.append(Int(try values.decode(Double.self)))
      sums.append(Int(try values.decodeIfPresent(Double.self) ?? 0))
    }
  }

  @Test func `each number of an array is read by its own type`() throws {
    let numbers = Array(1...28)
    let all = "[" + numbers.map(String.init).joined(separator: ",") + "]"
    #expect(expectSameAsFoundation(EveryNumber.self, all) == .value(EveryNumber(sums: numbers)))
    let half = "[" + numbers.map { $0 % 2 == 0 ? "null" : String($0) }.joined(separator: ",") + "]"
    let present = numbers.map { $0 % 2 == 0 ? 0 : $0 }
    #expect(expectSameAsFoundation(EveryNumber.self, half) == .value(EveryNumber(sums: present)))
  }

  @Test func `floating-point numbers`() throws {
    try expectRoundTrip([0.1, -1.5, 1e10, 785_234_567.1234567, 1e300, .leastNonzeroMagnitude])
    try expectRoundTrip([Float(0.1), -1.5, 3.4e38, .leastNonzeroMagnitude])
    try expectRoundTrip([Float16(0.1), 65504])
    expectSameAsFoundation(Bits<Double>.self, "-0", by: .tape)
    expectSameAsFoundation(Bits<Double>.self, "-0.0", by: .tape)
    expectSameAsFoundation(Float16.self, "1e6")
    expectSameAsFoundation(Float.self, "1e39")
    expectSameAsFoundation(Double.self, "\"NaN\"")
  }

  @Test func `dates, data, links and decimals`() throws {
    try expectRoundTrip(Date(timeIntervalSinceReferenceDate: 785_234_567.123456))
    try expectRoundTrip([Data(), Data([0]), Data(0...255)])
    try expectRoundTrip([Decimal(12345) / 100, Decimal(-3)])
    let link = try #require(URL(string: "https://example.com/é?q=1#x"))
    try expectRoundTrip(["a": link])
    for json in [
      "null", "1", "\"x\"", "\"\"", "\"https://[\"", "\"a b\"", "\"aGk\"", "\"aG k=\"",
      "\"aGk=\\n\"",
      "\"aGk\\u003d\"", "true", "[]", "{}", "1e1000", "0.1", "\"é\"",
    ] {
      expectSameAsFoundation(Date.self, json)
      expectSameAsFoundation(Data.self, json)
      expectSameAsFoundation(URL.self, json)
      expectSameAsFoundation(Decimal.self, json)
      expectSameAsFoundation([Date?].self, "[\(json)]")
      expectSameAsFoundation([Data?].self, "[\(json)]")
      expectSameAsFoundation([URL?].self, "[\(json)]")
      expectSameAsFoundation([Decimal?].self, "[\(json)]")
    }
  }

  @Test func `optionals`() throws {
    try expectRoundTrip([1, nil, 3])
    try expectRoundTrip(["a", nil])
    expectSameAsFoundation(Int?.self, "null", by: .tape)
    expectSameAsFoundation(Int??.self, "null", by: .tape)
    expectSameAsFoundation([Int]?.self, "[1]", by: .tape)
    expectSameAsFoundation(Maybe.self, "{}", by: .tape)
    expectSameAsFoundation(Maybe.self, "{\"number\":null,\"text\":null,\"list\":null}", by: .tape)
    expectSameAsFoundation(Maybe.self, "{\"number\":1,\"list\":[null]}", by: .tape)
    expectSameAsFoundation(Maybe.self, "{\"number\":\"1\"}", by: .foundation)
  }

  @Test func `dictionaries`() throws {
    try expectRoundTrip(["a": 1, "b": 2, "": 3, "é\n": 4])
    try expectRoundTrip([1: "a", -2: "b"])
    try expectRoundTrip([FuzzedItem.Identifier(rawValue: "x"): 1])
    try expectRoundTrip([FuzzedItem.Part(name: "x", weight: nil): 1])
    try expectRoundTrip(Dictionary(uniqueKeysWithValues: (0..<500).map { ("key\($0)", $0) }))
    expectSameAsFoundation([Int: Int].self, "{\"1\":1,\"x\":2}", by: .foundation)
    expectSameAsFoundation([String: Int].self, "{\"a\":1,\"a\":2}", by: .tape)
    expectSameAsFoundation([String: Int].self, "{\"a\":1,\"\\u0061\":2}", by: .tape)
    expectSameAsFoundation([String: Int].self, "{\"é\":1,\"e\\u0301\":2}", by: .tape)
    expectSameAsFoundation([String: [String: [Int]]].self, "{\"a\":{\"b\":[1]}}", by: .tape)
  }

  @Test func `equal keys are equal strings, unless the object has both`() throws {
    for json in ["{\"K\":1,\"\u{212A}\":2}", "{\"\u{212A}\":2,\"K\":1,\"K\":3}"] {
      let row = Data(json.utf8)
      #expect(try RowDecoder().decode(Kelvin<Letter>.self, from: row).found == 1)
      #expect(try RowDecoder().decode(Kelvin<Sign>.self, from: row).found == 2)
    }
    for json in [
      "{\"K\":1}", "{\"\u{212A}\":2}", "{\"\\u212a\":3}", "{\"x\":0,\"K\":1,\"K\":2}", "{}",
    ] {
      expectSameAsFoundation(Kelvin<Letter>.self, json)
      expectSameAsFoundation(Kelvin<Sign>.self, json)
    }
  }

  @Test func `a large object is found by name`() {
    for count in [23, 24, 25, 26, 200] {
      let members = (0..<count).map { "\"m\($0)\":\($0)" } + ["\"number\":7,\"number\":8"]
      expectSameAsFoundation(
        Maybe.self, "{" + members.joined(separator: ",") + "}", by: .tape)
    }
  }

  @Test func `enumerations`() throws {
    try expectRoundTrip([FuzzedItem.Color.red, .blue])
    try expectRoundTrip([FuzzedItem.Level.low, .high])
    try expectRoundTrip([
      FuzzedItem.Shape.none, .circle(radius: 1.5), .box(1, height: nil),
      .group([.box(2, height: 3)]),
    ])
    expectSameAsFoundation(FuzzedItem.Color.self, "\"pink\"", by: .foundation)
    expectSameAsFoundation(FuzzedItem.Level.self, "3", by: .foundation)
    for json in ["{}", "{\"circle\":{}}", "{\"none\":{},\"box\":{}}", "{\"cube\":{}}", "\"none\""] {
      expectSameAsFoundation(FuzzedItem.Shape.self, json, by: .foundation)
    }
  }

  @Test func `classes and their super decoders`() {
    for json in [
      "{\"name\":\"a\",\"super\":{\"id\":1}}", "{\"name\":\"a\"}",
      "{\"super\":null,\"name\":\"a\"}",
      "{\"name\":\"a\",\"super\":{\"id\":\"x\"}}", "{\"name\":\"a\",\"base\":{\"id\":2}}",
    ] {
      expectSameAsFoundation(Derived.self, json)
      expectSameAsFoundation([Derived].self, "[\(json)]")
      expectSameAsFoundation(KeyedDerived.self, json)
      expectSameAsFoundation(UnkeyedDerived.self, "[\(json),{\"id\":3}]")
      expectSameAsFoundation(UnkeyedDerived.self, "[\(json)]")
    }
  }

  @Test func `nested containers`() {
    for json in [
      "{\"a\":{\"b\":1},\"list\":[{\"b\":2},[3,[4]],5]}", "{\"a\":{},\"list\":[]}", "{\"a\":[]}",
      "{\"a\":{\"b\":1},\"list\":[{\"b\":2}]}", "{\"a\":null}", "{\"a\":{\"b\":1},\"list\":null}",
    ] {
      expectSameAsFoundation(Nested.self, json)
      expectSameAsFoundation([Nested].self, "[\(json),\(json)]")
    }
  }
}
