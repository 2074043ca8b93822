import FoundationEssentials
import PandaTestSupport
import PantryJSON
import Testing

/// Many small documents with a few mistakes in each, decoded into types that throw at most once.
///
/// They are quick to decode, so that millions of them can be: see ``FuzzTests``.
@Suite struct SmallDocumentTests {
  private static let factor = Int(ProcessInfo.processInfo.environment["PANTRY_FUZZ"] ?? "") ?? 1
  private static let seed =
    UInt64(ProcessInfo.processInfo.environment["PANTRY_FUZZ_SEED"] ?? "") ?? 1

  @Test func `texts`() throws { try check { $0.array { $0.optional { $0.string() } } } }

  @Test func `named texts`() throws { try check { $0.dictionary { $0.string() } } }

  @Test func `fractions`() throws { try check { $0.array { $0.double() } } }

  @Test func `integers`() throws { try check { $0.array { $0.integer(Int64.self) } } }

  @Test func `narrow integers`() throws { try check { $0.array { $0.integer(UInt8.self) } } }

  @Test func `parts`() throws {
    try check { generator in
      generator.array {
        FuzzedItem.Part(name: $0.string(), weight: $0.optional { $0.double() })
      }
    }
  }

  @Test func `small rows`() throws { try check { Row(using: &$0) } }

  @Test func `nothing looked at`() throws {
    let originals = try originals { $0.tree(depth: 3) }
    check(originals, [Ignored].self)
    check(originals, [String: Ignored].self)
  }

  /// Encodes values and decodes mutants of them.
  private func check<Value: Codable & Equatable>(
    _ value: (inout SplitMix64) -> Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    check(try originals(value), Value.self, sourceLocation: sourceLocation)
  }

  private func originals(_ value: (inout SplitMix64) -> some Encodable) throws -> [Data] {
    var generator = SplitMix64(seed: Self.seed &+ 10)
    let encoder = JSONEncoder()
    return try (0..<300).map { number in
      encoder.outputFormatting = number.isMultiple(of: 3) ? .prettyPrinted : []
      return try encoder.encode(value(&generator))
    }
  }

  private func check<Value: Decodable & Equatable>(
    _ originals: [Data], _ type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var generator = SplitMix64(seed: Self.seed &+ 11)
    let decoder = RowDecoder()
    let foundation = JSONDecoder()
    for _ in 0..<400 * Self.factor {
      var data = originals[generator.below(originals.count)]
      for _ in 0...generator.below(3) { generator.mutate(&data) }
      // Foundation traps: see RowDecoder.
      if data.last(where: { $0 != 0 }) == UInt8(ascii: "[") { continue }
      let found = try? decoder.decode(type, from: data)
      let expected = try? foundation.decode(type, from: data)
      if found != expected {
        expectSameAsFoundation(type, data, sourceLocation: sourceLocation)
      }
    }
  }
}

/// A row as programs have them.
private struct Row: Codable, Equatable {
  var id: String
  var createdAt: Date
  var isRead: Bool
  var count: Int
  var link: URL?
  var blob: Data
  var tags: [String]
  var color: FuzzedItem.Color?

  init(using generator: inout SplitMix64) {
    id = generator.string()
    createdAt = Date(timeIntervalSinceReferenceDate: generator.double())
    isRead = generator.chance(2)
    count = generator.integer(Int.self)
    link = generator.chance(3) ? nil : URL(string: "https://example.com/\(generator.below(100))")
    blob = Data(generator.array { UInt8($0.below(256)) })
    tags = generator.array { $0.string() }
    color = generator.optional { $0.chance(2) ? .red : .blue }
  }
}
