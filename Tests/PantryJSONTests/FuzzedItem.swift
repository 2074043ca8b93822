import FoundationEssentials
import PandaTestSupport

/// A value with most kinds of members that a type can have.
struct FuzzedItem: Codable, Equatable {
  enum Color: String, Codable { case red, green, blue }
  enum Level: Int, Codable { case low = 1, high = 2 }

  enum Shape: Codable, Equatable {
    case none
    case circle(radius: Double)
    case box(Int, height: Int?)
    indirect case group([Shape])
  }

  struct Part: Codable, Equatable, Hashable {
    var name: String
    var weight: Double?
  }

  struct Widths: Codable, Equatable {
    var a: Int8, b: Int16, c: Int32, d: Int64, e: Int
    var f: UInt8, g: UInt16, h: UInt32, i: UInt64, j: UInt
    var k: Float, l: Double, m: Int128, n: UInt128, o: Float16
  }

  struct Identifier: RawRepresentable, Codable, Hashable, CodingKeyRepresentable {
    var rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }
  }

  var id: String
  var title: String?
  var body: String
  var createdAt: Date
  var changedAt: Date?
  var isRead: Bool
  var isHidden: Bool?
  var count: Int
  var ratio: Double
  var optionalRatio: Double?
  var optionalCount: Int32?
  var link: URL?
  var blob: Data
  var color: Color
  var level: Level?
  var shape: Shape
  var parts: [Part]
  var partOrNone: [Part?]
  var widths: Widths
  var names: [String: String]
  var numbers: [Int: Double]
  var byIdentifier: [Identifier: Int]
  var byPart: [Part: Bool]
  var matrix: [[Double]]
  var words: Set<String>
  var price: Decimal?
  var tree: Tree?
  var children: [FuzzedItem]
}

extension FuzzedItem {
  init(using generator: inout SplitMix64, depth: Int = 1) {
    id = generator.string()
    title = generator.optional { $0.string() }
    body = generator.string()
    createdAt = Date(timeIntervalSinceReferenceDate: generator.double())
    changedAt = generator.optional { Date(timeIntervalSinceReferenceDate: $0.double()) }
    isRead = generator.chance(2)
    isHidden = generator.optional { $0.chance(2) }
    count = generator.integer(Int.self)
    ratio = generator.double()
    optionalRatio = generator.optional { $0.double() }
    optionalCount = generator.optional { $0.integer(Int32.self) }
    let page = generator.below(100)
    link = generator.chance(3) ? nil : URL(string: "https://example.com/\(page)?q=a/b#c")
    blob = Data(generator.array { UInt8($0.below(256)) })
    color = [.red, .green, .blue][generator.below(3)]
    level = generator.optional { $0.chance(2) ? .low : .high }
    shape = Self.shape(&generator, depth: 2)
    parts = generator.array { Part(name: $0.string(), weight: $0.optional { $0.double() }) }
    partOrNone = generator.array { $0.optional { Part(name: $0.string(), weight: nil) } }
    widths = Self.widths(&generator)
    names = generator.dictionary { $0.string() }
    numbers = Dictionary(
      generator.array { ($0.integer(Int.self), $0.double()) }, uniquingKeysWith: { $1 })
    byIdentifier = Dictionary(
      generator.array { (Identifier(rawValue: $0.string()), $0.below(9)) },
      uniquingKeysWith: { $1 })
    byPart = Dictionary(
      generator.array { (Part(name: $0.string(), weight: $0.double()), $0.chance(2)) },
      uniquingKeysWith: { $1 })
    matrix = generator.array { $0.array { $0.double() } }
    words = Set(generator.array { $0.string() })
    price = generator.optional { Decimal($0.below(1_000_000)) / 100 }
    // With a fraction in it, Foundation decodes the item: see CatchingTests.
    tree = generator.chance(5) ? generator.tree() : nil
    children =
      depth > 0 && generator.chance(4)
      ? generator.array { FuzzedItem(using: &$0, depth: depth - 1) } : []
  }

  private static func shape(_ generator: inout SplitMix64, depth: Int) -> Shape {
    switch generator.below(depth > 0 ? 4 : 3) {
    case 0: .none
    case 1: .circle(radius: generator.double())
    case 2: .box(generator.below(100), height: generator.optional { $0.below(100) })
    default: .group(generator.array { shape(&$0, depth: depth - 1) })
    }
  }

  private static func widths(_ generator: inout SplitMix64) -> Widths {
    let float = Float(generator.double())
    return Widths(
      a: generator.integer(Int8.self), b: generator.integer(Int16.self),
      c: generator.integer(Int32.self), d: generator.integer(Int64.self),
      e: generator.integer(Int.self), f: generator.integer(UInt8.self),
      g: generator.integer(UInt16.self), h: generator.integer(UInt32.self),
      i: generator.integer(UInt64.self), j: generator.integer(UInt.self),
      k: float.isFinite ? float : 1, l: generator.double(),
      m: Int128(generator.integer(Int64.self)), n: UInt128(generator.integer(UInt64.self)),
      o: Float16(generator.below(1000)))
  }
}
