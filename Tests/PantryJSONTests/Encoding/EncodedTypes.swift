/// A class that others inherit.
class Super: Encodable {
  let id = 1
  let name = "base"
}

/// Encodes its base to a super encoder.
final class Sub: Super {
  let count = 2

  private enum CodingKeys: CodingKey { case count, name }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(count, forKey: .count)
    try super.encode(to: container.superEncoder())
    try container.encode("own", forKey: .name)
  }
}

/// Encodes its base to the same object.
final class SubOfSameContainer: Super {
  let count = 2

  private enum CodingKeys: CodingKey { case count, more }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(count, forKey: .count)
    try super.encode(to: encoder)
    try container.encode([count], forKey: .more)
  }
}

/// Encodes its base under a key of its own.
final class KeyedSub: Super {
  private enum CodingKeys: CodingKey { case base }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder(forKey: .base))
  }
}

/// Encodes its base as an element.
final class UnkeyedSub: Super {
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(1)
    try super.encode(to: container.superEncoder())
    try container.encode(2)
  }
}

/// Encodes everything by nested containers.
struct Nesting: Encodable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    var inner = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "a"))
    try inner.encode(1, forKey: AnyKey(stringValue: "b"))
    try inner.encodeNil(forKey: AnyKey(stringValue: "c"))
    try inner.encodeIfPresent(String?.none, forKey: AnyKey(stringValue: "d"))
    var list = object.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "list"))
    try list.encode(contentsOf: [1, 2])
    var object2 = list.nestedContainer(keyedBy: AnyKey.self)
    try object2.encode(true, forKey: AnyKey(stringValue: "b"))
    var list2 = list.nestedUnkeyedContainer()
    try list2.encode("x")
    try list2.encodeNil()
    try list.encode(list.count)
    _ = list.nestedContainer(keyedBy: AnyKey.self)
    _ = list.nestedUnkeyedContainer()
    try object.encode("end", forKey: AnyKey(stringValue: "end"))
  }
}
