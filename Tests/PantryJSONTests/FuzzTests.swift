import FoundationEssentials
import PandaTestSupport
import PantryJSON
import Testing

/// Random values and documents, the same at each run.
///
/// PANTRY_FUZZ is how many times as many as usual; PANTRY_FUZZ_SEED makes them others.
@Suite struct FuzzTests {
  private let factor = Int(ProcessInfo.processInfo.environment["PANTRY_FUZZ"] ?? "") ?? 1
  private let seed = UInt64(ProcessInfo.processInfo.environment["PANTRY_FUZZ_SEED"] ?? "") ?? 1

  @Test func `values decode as with Foundation`() throws {
    var generator = SplitMix64(seed: seed)
    let decoder = RowDecoder()
    let encoder = JSONEncoder()
    let rounds = 40 * factor
    var answers = 0
    for round in 0..<rounds {
      let item = FuzzedItem(using: &generator)
      encoder.outputFormatting =
        [[], .sortedKeys, .prettyPrinted, .withoutEscapingSlashes][round % 4]
      let data = try encoder.encode(item)
      let count = decoder.foundationCount
      let found = expectSameAsFoundation(FuzzedItem.self, data, decoder: decoder)
      // A tree finds an integer in "1", whatever it was.
      let hasTree = item.tree != nil || item.children.contains { $0.tree != nil }
      #expect(found == .value(item) || hasTree)
      if decoder.foundationCount == count { answers += 1 }
      if round.isMultiple(of: 4) { expectSameAsFoundation(Tree.self, data, decoder: decoder) }
    }
    #expect(answers > rounds * 3 / 4)
  }

  @Test func `mutated documents decode as with Foundation`() throws {
    var generator = SplitMix64(seed: seed &+ 1)
    let decoder = RowDecoder()
    var accepted = 0
    for _ in 0..<20 * factor {
      let original = try document(&generator)
      for _ in 0..<20 {
        var data = original
        for _ in 0...generator.below(3) { generator.mutate(&data) }
        if generator.chance(16) { data = data.dropFirst(generator.below(3)) }
        if compare(data, generator.below(8), decoder) { accepted += 1 }
      }
    }
    #expect(accepted > 0)
  }

  @Test func `numbers are rounded as Foundation does`() {
    var generator = SplitMix64(seed: seed &+ 2)
    let decoder = RowDecoder()
    for _ in 0..<30 * factor {
      let numbers = (0..<20).map { _ in generator.number() }
      let data = Data("[\(numbers.joined(separator: ","))]".utf8)
      expectSameAsFoundation([Bits<Double>].self, data, decoder: decoder)
      expectSameAsFoundation([Bits<Float>].self, data, decoder: decoder)
      for number in numbers.prefix(4) {
        expectSameAsFoundation(Int.self, number, decoder: decoder)
        expectSameAsFoundation(UInt8.self, number, decoder: decoder)
        expectSameAsFoundation(Int128.self, number, decoder: decoder)
        expectSameAsFoundation(UInt128.self, number, decoder: decoder)
        expectSameAsFoundation(Decimal.self, number, decoder: decoder)
      }
    }
  }

  @Test func `a type that catches errors sees the same in random documents`() throws {
    var generator = SplitMix64(seed: seed &+ 3)
    let decoder = RowDecoder()
    for _ in 0..<2 * factor {
      let data = try JSONEncoder().encode(generator.tree(depth: 2))
      expectSameAsFoundation(Probe.self, data, decoder: decoder)
    }
  }

  /// Whether the document is accepted as one of several types.
  private func compare(_ data: Data, _ type: Int, _ decoder: RowDecoder) -> Bool {
    // Foundation traps: see RowDecoder.
    if data.last(where: { $0 != 0 }) == UInt8(ascii: "[") { return false }
    return switch type {
    case 0: expectSameAsFoundation(FuzzedItem.self, data, decoder: decoder).isValue
    case 1: expectSameAsFoundation([String: Tree].self, data, decoder: decoder).isValue
    case 2: expectSameAsFoundation([Ignored].self, data, decoder: decoder).isValue
    case 3: expectSameAsFoundation([String: Ignored].self, data, decoder: decoder).isValue
    case 4: expectSameAsFoundation([[String?]].self, data, decoder: decoder).isValue
    default: expectSameAsFoundation(Tree.self, data, decoder: decoder).isValue
    }
  }

  private func document(_ generator: inout SplitMix64) throws -> Data {
    let encoder = JSONEncoder()
    if generator.chance(2) { encoder.outputFormatting = .prettyPrinted }
    switch generator.below(3) {
    case 0: return try encoder.encode(FuzzedItem(using: &generator, depth: 0))
    case 1: return try encoder.encode(generator.array { $0.array { $0.optional { $0.string() } } })
    default: return try encoder.encode(generator.tree())
    }
  }
}
