import FoundationEssentials
import PantryJSON
import Testing

@Suite struct EncodingFeatureTests {
  @Test func `integers of all widths are encoded`() throws {
    try expectSameRow([Int8.min, 0, .max])
    try expectSameRow([Int16.min, 0, .max])
    try expectSameRow([Int32.min, 0, .max])
    try expectSameRow([Int64.min, -1, 0, 1, 9, 10, 99, 100, .max])
    try expectSameRow([Int.min, 0, .max])
    try expectSameRow([UInt8.min, .max])
    try expectSameRow([UInt16.min, .max])
    try expectSameRow([UInt32.min, .max])
    try expectSameRow([UInt64.min, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, .max])
    try expectSameRow([UInt.min, .max])
    try expectSameRow([Int128.min, 0, .max])
    try expectSameRow([UInt128.min, .max])
    try expectSameRow(["a": Int128.min])
  }

  @Test func `floating-point numbers are encoded`() throws {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, -1.5, 1e10, 1e16, 1e15, 1e22, -1e300, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 0x1p53, 0x1p53 - 1, -0x1p53, 0x1p53 + 2, 0x1p54, 0x1p63, 0x1p64,
      785_234_567.1234567,
    ]
    for number in numbers {
      try expectSameRow(number)
      try expectSameRow([number])
      try expectSameRow(["number": Float(number.remainder(dividingBy: 1e30))])
    }
    try expectSameRow([Float(0.1), -0.0, 1, 16_777_216, 3.4e38, .leastNonzeroMagnitude])
    try expectSameRow([Float16(0.1), 65504])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `numbers that JSON does not have are refused like by Foundation`(_ number: Double) {
    expectSameEncoding(number, by: .foundation)
    expectSameEncoding([number], by: .foundation)
    expectSameEncoding(["a": [number]], by: .foundation)
    expectSameEncoding(Float(number), by: .foundation)
    expectSameEncoding(["a": Float(number)], by: .foundation)
    expectSameEncoding(Date(timeIntervalSinceReferenceDate: number), by: .foundation)
    expectSameEncoding(Maybe(ratio: number), by: .foundation)
    expectSameEncoding(Decimal.nan, by: .foundation)
  }

  @Test func `dates, data, links and decimals are encoded`() throws {
    try expectSameRow(Date(timeIntervalSinceReferenceDate: 785_234_567.123456))
    try expectSameRow([Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture])
    try expectSameRow([Data(), Data([0]), Data([0, 1]), Data(0...255)])
    try expectSameRow([Decimal(12345) / 100, Decimal(-3), 0])
    let link = try #require(URL(string: "https://example.com/é?q=1#x"))
    try expectSameRow(["a": link])
    try expectSameRow([link, try #require(URL(string: "b/c", relativeTo: link)).absoluteURL])
    try expectSameRow([UUID()])
    expectSameEncoding(URL(string: "b/c", relativeTo: link), by: .direct)
  }

  @Test func `strings are encoded with the escapes that they need`() throws {
    for value in 0...0x7F {
      let character = String(Unicode.Scalar(UInt8(value)))
      try expectSameRow(character)
      try expectSameRow("1234567\(character)1234567\(character)\(character)")
      try expectSameRow([character: character])
    }
    try expectSameRow(["", "/", "\u{2028}", "é🐼", "e\u{301}", "\u{FEFF}", "\u{0}\u{0}"])
    try expectSameRow(String(repeating: "a long text \"with\" quotes, é\n", count: 1000))
    try expectSameRow(String("a long substring that is shared".dropFirst(2)))
  }

  @Test func `single values and optionals are encoded`() throws {
    try expectSameRow(true)
    try expectSameRow("text")
    try expectSameRow(17)
    try expectSameRow([Int]())
    try expectSameRow([String: Int]())
    try expectSameRow([1, nil, 3])
    try expectSameRow(["a", nil])
    try expectSameRow(["a": Int?.none, "b": 2])
    try expectSameRow(Maybe())
    try expectSameRow(
      Maybe(
        number: 1, small: 255, ratio: 0.5, short: 0.25, text: "a", flag: false, list: [1, nil]))
    expectSameEncoding(Int?.none, by: .direct)
    expectSameEncoding(Int??.some(nil), by: .direct)
    expectSameEncoding([Int]??.some([1]), by: .direct)
  }

  @Test func `dictionaries are encoded`() throws {
    try expectSameRow(["a": 1, "b": 2, "": 3, "é\n": 4])
    try expectSameRow([1: "a", -2: "b"])
    try expectSameRow([FuzzedItem.Identifier(rawValue: "x"): 1])
    try expectSameRow([FuzzedItem.Part(name: "x", weight: nil): 1])
    for count in [23, 24, 25, 26, 500] {
      try expectSameRow(Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) }))
      try expectSameRow(
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("日本語 \($0)", $0) }))
    }
    try expectSameRow(["a": ["b": [1: ["c": true]]]])
  }

  @Test func `classes and nested containers are encoded`() {
    expectSameEncoding([Sub(), Sub()], by: .direct)
    expectSameEncoding(["a": SubOfSameContainer()], by: .direct)
    expectSameEncoding(KeyedSub(), by: .direct)
    expectSameEncoding(UnkeyedSub(), by: .foundation)
    expectSameEncoding([Nesting(), Nesting()], by: .direct)
  }

  @Test func `values that encode nothing are encoded like by Foundation`() {
    expectSameEncoding(Nothing(), by: .foundation)
    expectSameEncoding([Nothing()], by: .direct)
    expectSameEncoding(["a": Nothing()], by: .direct)
    expectSameEncoding(["a": Nothing?.some(Nothing())], by: .direct)
    expectSameEncoding(["a": EmptySuper()], by: .direct)
  }

  @Test func `deep values are encoded`() throws {
    for depth in [1, 254, 255, 256, 257, 300] {
      let encoder = RowEncoder()
      #expect(try encoder.encode(Deep(depth: depth)) == JSONEncoder().encode(Deep(depth: depth)))
      #expect(encoder.foundationCount == (depth < 256 ? 0 : 1))
    }
  }
}

private struct Nothing: Encodable {
  func encode(to encoder: any Encoder) {}
}

private struct EmptySuper: Encodable {
  func encode(to encoder: any Encoder) {
    var container = encoder.container(keyedBy: AnyKey.self)
    _ = container.superEncoder()
  }
}

/// Arrays in arrays: one more than its depth.
private struct Deep: Encodable {
  let depth: Int

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if depth > 0 { try container.encode(Deep(depth: depth - 1)) }
  }
}
