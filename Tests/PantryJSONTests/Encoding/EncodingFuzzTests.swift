import PandaTestSupport
import FoundationEssentials
import PantryJSON
import Testing

/// Random values and orders of calls, the same at each run: see ``FuzzTests``.
@Suite struct EncodingFuzzTests {
  private let factor = Int(ProcessInfo.processInfo.environment["PANTRY_FUZZ"] ?? "") ?? 1
  private let seed = UInt64(ProcessInfo.processInfo.environment["PANTRY_FUZZ_SEED"] ?? "") ?? 1

  @Test func `values encode as with Foundation`() throws {
    var generator = SplitMix64(seed: seed &+ 20)
    let encoder = RowEncoder()
    for _ in 0..<15 * factor {
      let item = FuzzedItem(using: &generator)
      let data = try #require(expectSameEncoding(item, by: .direct, encoder: encoder))
      let decoded = try RowDecoder().decode(FuzzedItem.self, from: data)
      // A tree finds an integer in "1", whatever it was.
      let hasTree = item.tree != nil || item.children.contains { $0.tree != nil }
      #expect(decoded == item || hasTree)
    }
  }

  @Test func `numbers and texts encode as with Foundation`() throws {
    var generator = SplitMix64(seed: seed &+ 21)
    let encoder = RowEncoder()
    for _ in 0..<20 * factor {
      try expectSameRow(
        (0..<20).map { _ in generator.double() }.map(\.bitPattern), encoder: encoder)
      try expectSameRow((0..<20).map { _ in generator.double() }, encoder: encoder)
      try expectSameRow((0..<20).map { _ in generator.integer(Int64.self) }, encoder: encoder)
      try expectSameRow((0..<20).map { _ in generator.string() }, encoder: encoder)
      try expectSameRow(generator.dictionary { $0.string() }, encoder: encoder)
    }
  }

  @Test func `any order of calls encodes as with Foundation`() {
    var generator = SplitMix64(seed: seed &+ 22)
    let encoder = RowEncoder()
    let rounds = 300 * factor
    for _ in 0..<rounds {
      expectSameEncoding([Caller(seed: generator.next(), depth: 2)], encoder: encoder)
    }
    // Half of them in an order in which they could be written, each encoded twice.
    #expect((rounds / 4..<rounds * 7 / 4).contains(encoder.foundationCount))
  }
}

/// Makes random calls to its encoder, none at which Foundation traps.
private struct Caller: Encodable {
  let seed: UInt64
  let depth: Int

  func encode(to encoder: any Encoder) throws {
    var calls = Calls(encoder, generator: SplitMix64(seed: seed), depth: depth)
    try calls.make()
  }

  private struct Calls {
    let encoder: any Encoder
    var generator: SplitMix64
    let depth: Int
    var objects: [KeyedEncodingContainer<AnyKey>] = []
    var lists: [any UnkeyedEncodingContainer] = []
    var supers: [any Encoder] = []
    var isObject = false

    init(_ encoder: any Encoder, generator: SplitMix64, depth: Int) {
      self.encoder = encoder
      self.generator = generator
      self.depth = depth
    }

    private mutating func child() -> Caller { Caller(seed: generator.next(), depth: depth - 1) }

    mutating func make() throws {
      switch generator.below(10) {
      case 0: try single()
      case 1: return
      case 2...4: lists.append(encoder.unkeyedContainer())
      default:
        objects.append(encoder.container(keyedBy: AnyKey.self))
        isObject = true
      }
      // Every other one writes at the end only.
      let isTidy = generator.chance(2)
      for _ in 0..<generator.below(9) {
        if lists.isEmpty && objects.isEmpty { return }
        let count = objects.count + lists.count
        let index = isTidy && generator.chance(2) ? count - 1 : generator.below(count)
        if index < objects.count {
          try callObject(isTidy ? objects.count - 1 : index, isTidy)
        } else {
          try callList(isTidy ? lists.count - 1 : index - objects.count)
        }
      }
      for encoder in supers { try child().encode(to: encoder) }
    }

    private mutating func single() throws {
      var container = encoder.singleValueContainer()
      switch generator.below(depth > 0 ? 6 : 5) {
      case 0: try container.encodeNil()
      case 1: try container.encode(generator.string())
      case 2: try container.encode(generator.double())
      case 3: try container.encode(generator.integer(Int32.self))
      case 4: try container.encode([generator.integer(UInt8.self)])
      default: try container.encode(child())
      }
    }

    private mutating func callObject(_ index: Int, _ isTidy: Bool) throws {
      let number = generator.below(isTidy ? 100_000 : 12)
      // Foundation traps if a key has values of two kinds.
      let suffix = ["", "é", "K", "\"", "\u{212B}"][generator.below(generator.below(5) + 1)]
      func key(_ kind: String) -> AnyKey { AnyKey(stringValue: "\(kind)\(number)\(suffix)") }
      switch generator.below(depth > 0 ? 11 : 7) {
      case 0: try objects[index].encodeNil(forKey: key("v"))
      case 1: try objects[index].encode(generator.string(), forKey: key("v"))
      case 2: try objects[index].encode(generator.double(), forKey: key("v"))
      case 3: try objects[index].encode(generator.integer(UInt64.self), forKey: key("v"))
      case 4:
        let text = generator.optional { $0.string() }
        try objects[index].encodeIfPresent(text, forKey: key("v"))
      case 5:
        // In a value of several parts: Foundation traps at the value after it.
        let number = generator.chance(12) ? Double.nan : 1
        do { try objects[index].encode(number, forKey: key("v")) } catch {}
      case 6 where isObject: objects.append(encoder.container(keyedBy: AnyKey.self))
      case 6: break
      case 7: try objects[index].encode(child(), forKey: key("v"))
      case 8:
        objects.append(objects[index].nestedContainer(keyedBy: AnyKey.self, forKey: key("o")))
      case 9: lists.append(objects[index].nestedUnkeyedContainer(forKey: key("l")))
      default:
        let encoder = objects[index].superEncoder(forKey: key("s"))
        if isTidy { try child().encode(to: encoder) } else { supers.append(encoder) }
      }
    }

    private mutating func callList(_ index: Int) throws {
      switch generator.below(depth > 0 ? 8 : 5) {
      case 0: try lists[index].encodeNil()
      case 1: try lists[index].encode(generator.string())
      case 2: try lists[index].encode(generator.double())
      case 3: try lists[index].encode(generator.integer(Int.self))
      case 4: try lists[index].encode(lists[index].count)
      case 5: try lists[index].encode(child())
      case 6: lists.append(lists[index].nestedUnkeyedContainer())
      default: objects.append(lists[index].nestedContainer(keyedBy: AnyKey.self))
      }
    }
  }
}
