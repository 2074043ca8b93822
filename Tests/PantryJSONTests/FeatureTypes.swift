/// Optional members.
struct Maybe: Codable, Equatable {
  var number: Int?
  var small: UInt8?
  var ratio: Double?
  var short: Float?
  var text: String?
  var flag: Bool?
  var list: [Int?]?
}

/// Three keys of one letter, which are equal as strings.
protocol KelvinKey: CodingKey {
  static var kelvin: Self { get }
}

enum Letter: String, KelvinKey { case kelvin = "K" }
enum Sign: String, KelvinKey { case kelvin = "\u{212A}" }

/// The result of looking up a key.
struct Kelvin<Key: KelvinKey>: Decodable, Equatable {
  let found: Int?
  let contains: Bool
  let keys: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    contains = container.contains(.kelvin)
    found = try container.decodeIfPresent(Int.self, forKey: .kelvin)
    keys = container.allKeys.count
  }
}

/// A class whose base decodes from a super decoder.
class Base: Decodable, Equatable {
  let id: Int
  let path: String

  required init(from decoder: any Decoder) throws {
    path = withoutKeyTypes(decoder.codingPath)
    id = try decoder.container(keyedBy: AnyKey.self).decode(
      Int.self, forKey: AnyKey(stringValue: "id"))
  }

  static func == (one: Base, other: Base) -> Bool {
    one.id == other.id && one.path == other.path
  }
}

final class Derived: Base {
  required init(from decoder: any Decoder) throws {
    try super.init(from: decoder.container(keyedBy: AnyKey.self).superDecoder())
  }
}

final class KeyedDerived: Base {
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    try super.init(from: container.superDecoder(forKey: AnyKey(stringValue: "base")))
  }
}

final class UnkeyedDerived: Base {
  required init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Ignored.self)
    try super.init(from: container.superDecoder())
  }
}

/// Goes into everything by nested containers.
struct Nested: Decodable, Equatable {
  var found: [String] = []

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let inner = try container.nestedContainer(
      keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "a"))
    found.append("\(withoutKeyTypes(inner.codingPath)) \(inner.allKeys)")
    found.append("\(try inner.decodeIfPresent(Int.self, forKey: AnyKey(stringValue: "b")) as Any)")
    var list = try container.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "list"))
    while !list.isAtEnd {
      found.append("\(withoutKeyTypes(list.codingPath)) \(list.currentIndex)")
      if let keyed = try? list.nestedContainer(keyedBy: AnyKey.self) {
        found.append("\(withoutKeyTypes(keyed.codingPath)) \(keyed.allKeys)")
      } else if var unkeyed = try? list.nestedUnkeyedContainer() {
        found.append("\(withoutKeyTypes(unkeyed.codingPath)) \(try unkeyed.decode(Int.self))")
        var last = try unkeyed.nestedUnkeyedContainer()
        found.append("\(withoutKeyTypes(last.codingPath)) \(try last.decode(Int.self))")
      } else {
        found.append("\(try list.decode(Int.self))")
      }
    }
  }
}
