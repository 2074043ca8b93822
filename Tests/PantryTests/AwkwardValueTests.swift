import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// An item around any value; equal by identifier, so that only bytes tell items apart.
private struct Box<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
  var id: String
  var value: Value
}

extension Box: Equatable {
  static func == (left: Box, right: Box) -> Bool { left.id == right.id }
}

private enum Shape: Codable, Sendable {
  case point
  case circle(radius: Double)
  case named(String, Int?)
}

private indirect enum Nested: Codable, Sendable {
  case end
  case more(Nested)

  static func deep(_ depth: Int) -> Nested {
    (0..<depth).reduce(.end) { nested, _ in .more(nested) }
  }
}

private enum Suit: String, Codable, CodingKeyRepresentable, Sendable { case hearts, spades }

private struct Empty: Codable, Sendable {}

private class Animal: Codable, @unchecked Sendable {
  var legs = 4
}

private final class Cat: Animal, @unchecked Sendable {
  var name = "Tom"

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try super.encode(to: container.superEncoder())
  }

  private enum CodingKeys: String, CodingKey { case name }
}

/// As with `let token = UUID()`, which is encoded and never decoded.
private struct Token: Codable, Sendable {
  let name: String
  let token = Fresh()

  init(name: String) { self.name = name }

  init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  }

  struct Fresh: Codable, Sendable {
    var id = UUID()
  }

  private enum CodingKeys: String, CodingKey { case name, token }
}

/// A value that is never encoded in the same way.
private struct Salted: Codable, Sendable {
  var text = "a"

  init() {}

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Int.self)
    text = try container.decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(Int.random(in: 0...Int.max))
    try container.encode(text)
  }
}

/// Names that are equal to Swift, and differ in their bytes.
private struct EquivalentNames: Codable, Equatable, Sendable {
  var one: Int
  var two: Int?

  enum CodingKeys: String, CodingKey {
    case one = "\u{E9}"
    case two = "e\u{301}"
  }
}

/// Each value is refused, or comes back with the same bytes when it is encoded again.
@MainActor
@Suite struct AwkwardValueTests {
  /// How the rows are written.
  enum Format: CaseIterable {
    case plain, upgraded, own
  }

  private static var accepted: [(name: String, value: any Codable & Sendable)] {
    var values: [(name: String, value: any Codable & Sendable)] = []
    // One statement each: the compiler takes minutes for a literal of this many types.
    func add(_ name: String, _ value: some Codable & Sendable) { values.append((name, value)) }
    add("Decimal 0", Decimal(0))
    add("Decimal -0.1", Decimal(string: "-0.1")!)
    add("Decimal pi", Decimal.pi)
    add("greatest Decimal", Decimal.greatestFiniteMagnitude)
    add("least Decimal", Decimal.leastFiniteMagnitude)
    add("smallest Decimal", Decimal.leastNonzeroMagnitude)
    add("Decimal of 38 digits", Decimal(string: "12345678901234567890123456789012345678")!)
    add("negative zero", -0.0)
    add("smallest Double", Double.leastNonzeroMagnitude)
    add("greatest Double", Double.greatestFiniteMagnitude)
    add("0.1", 0.1)
    add("1e23", 1e23)
    add("2^53 + 2", 0x1p53 + 2)
    add("Double ulp", 1.0.nextUp)
    add("smallest Float", Float.leastNonzeroMagnitude)
    add("greatest Float", Float.greatestFiniteMagnitude)
    add("Float 0.1", Float(0.1))
    add("Int.min", Int.min)
    add("Int.max", Int.max)
    add("UInt64.max", UInt64.max)
    add("Int8.min", Int8.min)
    add("Int128.min", Int128.min)
    add("UInt128.max", UInt128.max)
    add("distant future", Date.distantFuture)
    add("distant past", Date.distantPast)
    add("a Date of a fraction", Date(timeIntervalSinceReferenceDate: 0.1 + 0.2))
    add("no Data", Data())
    add("all bytes", Data(0...255))
    add("no String", "")
    add("NUL", "\0")
    add("control characters", "\u{1}\u{1F}\u{7F}\u{85}")
    add("escapes", "\"\\/\u{8}\u{C}\n\r\t")
    add("line separators", "\u{2028}\u{2029}")
    add("a joined emoji", "👩‍👩‍👧‍👦🏳️‍🌈")
    add("é in two scalars", "e\u{301}")
    add("é in one", "\u{E9}")
    add("right to left", "\u{202E}abc\u{2066}")
    add("a byte order mark", "\u{FEFF}a")
    add("noncharacters", "\u{FFFE}\u{FFFF}\u{10FFFF}")
    add("a long String", String(repeating: "é", count: 70_000))
    add("a URL", URL(string: "https://é.example/%20a?b=c#d")!)
    add("a file", URL(filePath: "/tmp/a b"))
    add("a mailto", URL(string: "mailto:a@b.c")!)
    add("an IPv6 host", URL(string: "http://[::1]:80/")!)
    add("a relative URL", URL(string: "a/b", relativeTo: URL(string: "https://example.org/c/"))!)
    add("nil", Int?.none)
    add("nil in nil", Int??.some(.none))
    add("nil in an Array", [1, nil, 3] as [Int?])
    add("no Array", [Int]())
    add("Arrays", [[[Int]]]([[[]], [], [[1]]]))
    add("Int keys", [7: "a"])
    add("an empty key", ["": 1])
    add("a key of ours", ["$pantryVersion": 5])
    add("a key like a Kelvin sign", ["\u{212A}": 1])
    add("enum keys", [Suit.spades: 1])
    add("Double keys", [0.5: 1])
    add("an enum", Shape.point)
    add("a payload", Shape.circle(radius: 0.1))
    add("an unnamed payload", Shape.named("a", nil))
    add("a UUID", UUID())
    add("a Set", Set(["a"]))
    add("a Range", 1..<3)
    add("a ClosedRange", "a"..."b")
    add("a Duration", Duration.seconds(Int64.max))
    add("no members", Empty())
    add("100 levels", Nested.deep(100))
    add("a subclass", Cat())
    add("an interval", DateInterval(start: .distantPast, duration: 1))
    add("components", DateComponents(year: 2026, month: 2))
    add("a Locale", Locale(identifier: "de_DE"))
    add("a TimeZone", TimeZone(secondsFromGMT: 3_600)!)
    add("an IndexSet", IndexSet([1, 2, 9]))
    return values
  }

  private static var refused: [(name: String, value: any Codable & Sendable)] {
    var values: [(name: String, value: any Codable & Sendable)] = []
    // One statement each: the compiler takes minutes for a literal of this many types.
    func add(_ name: String, _ value: some Codable & Sendable) { values.append((name, value)) }
    add("Decimal NaN", Decimal.nan)
    add("Decimals", [Decimal(1), .nan])
    add("a named one", ["a": Decimal.nan])
    add("an optional one", Decimal?.some(.nan))
    add("a nested one", ["a": [[Decimal.nan]]])
    add("NaN", Double.nan)
    add("infinity", Double.infinity)
    add("-infinity", -Double.infinity)
    add("Float NaN", Float.nan)
    add("Float infinity", Float.infinity)
    add("a Date of NaN", Date(timeIntervalSinceReferenceDate: .nan))
    add("an infinite Date", Date(timeIntervalSinceReferenceDate: .infinity))
    add("a token that is never decoded", Token(name: "a"))
    add("one in an Array", [1: [Token(name: "a")]])
    add("600 levels", Nested.deep(600))
    return values
  }

  @Test(arguments: Format.allCases)
  func `fault 90: an accepted value is read back with the same bytes`(_ format: Format) async throws
  {
    for (name, value) in Self.accepted {
      do {
        try await expectKept(name, value, format)
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
  }

  @Test(arguments: Format.allCases)
  func `fault 90: a value that could not be read back is refused`(_ format: Format) async throws {
    for (name, value) in Self.refused { try await expectRefused(name, value, format) }
  }

  @Test(arguments: [Format.plain, .upgraded])
  func `fault 90: members whose names are equal strings are kept, or refused`(
    _ format: Format
  ) async throws {
    let storage = TestStorage(.memory)
    let whole = Box(id: "a", value: EquivalentNames(one: 1, two: 2))
    do {
      let store: Store<Box<EquivalentNames>> = try await store(storage.open(), format)
      try await store.add(whole)
      await #expect(throws: EncodingError.self) {
        try await store.add(Box(id: "b", value: EquivalentNames(one: 1)))
      }
    }
    let again: Store<Box<EquivalentNames>> = try await store(storage.open(), format)
    #expect(again.items.map(\.value) == [whole.value])
    let home = ValueHome()
    let value = home.value(EquivalentNames(one: 0), registry: ValueRegistry())
    value.set(whole.value)
    await #expect(throws: EncodingError.self) { try await value.flush() }
  }

  @Test(arguments: Format.allCases)
  func `fault 90: the refusal of NaN names the member`(_ format: Format) async throws {
    let store: Store<Box<[String: [Decimal]]>> = try await store(MemoryStorageEngine(), format)
    let error = await #expect(throws: EncodingError.self) {
      try await store.add(Box(id: "a", value: ["b": [1, .nan]]))
    }
    #expect(String(describing: error).contains("value.value is NaN"))
    let doubles: Store<Box<Double>> = try await self.store(MemoryStorageEngine(), format)
    let other = await #expect(throws: EncodingError.self) {
      try await doubles.add(Box(id: "a", value: .nan))
    }
    guard case .invalidValue(_, let context) = other else { throw TestFailure("\(other as Any)") }
    #expect(context.codingPath.map(\.stringValue) == ["value"])
  }

  @Test(arguments: Format.allCases)
  func `values encoded in varying order or with a salt are accepted`(_ format: Format) async throws
  {
    let engine = try TestStorage(.memory).open()
    let store: Store<Box<Values>> = try await store(engine, format)
    for number in 0..<20 {
      let names = (0...number * 7).map { "\(number) \($0)" }
      let counts = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.count) })
      let values = Values(
        names: Set(names), counts: counts,
        numbers: Dictionary(uniqueKeysWithValues: names.indices.map { (Double($0), $0) }))
      try await store.add(Box(id: "\(number)", value: values))
    }
    #expect(store.items.count == 20)
  }

  private struct Values: Codable, Sendable {
    var names: Set<String>
    var counts: [String: Int]
    var numbers: [Double: Int]
    var salt = Salted()
  }

  private func store<Value>(
    _ engine: any StorageEngine, _ format: Format
  ) async throws -> Store<Box<Value>> {
    switch format {
    case .plain: try await Store(storage: engine)
    case .upgraded: try await Store(storage: engine, upgrades: [.setting("later", to: 1)])
    case .own:
      try await Store(
        storage: engine, cacheIdentifier: \.id,
        coding: RowCoding { item in
          try JSONEncoder().encode(item)
        } decode: { row in
          try JSONDecoder().decode(Box<Value>.self, from: row)
        })
    }
  }

  private func expectKept<Value: Codable & Sendable>(
    _ name: String, _ value: Value, _ format: Format
  ) async throws {
    let storage = TestStorage(.memory)
    let item = Box(id: "a", value: value)
    try await store(storage.open(), format).add(item)
    let reopened: Store<Box<Value>> = try await store(storage.open(), format)
    #expect(reopened.loadIssues.isEmpty, "\(name)")
    let again = try #require(reopened.items.first, "\(name)")
    #expect(try encoder.encode(again) == encoder.encode(item), "\(name)")
  }

  private func expectRefused<Value: Codable & Sendable>(
    _ name: String, _ value: Value, _ format: Format
  ) async throws {
    let storage = TestStorage(.memory)
    let store: Store<Box<Value>> = try await store(storage.open(), format)
    await #expect(throws: EncodingError.self, "\(name)") {
      try await store.add(Box(id: "a", value: value))
    }
    #expect(try await storage.open().keyCount() == 0, "\(name)")
  }

  private var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}
