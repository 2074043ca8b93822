/// An array whose elements are decoded in place, without a container and its boxes.
///
/// The results and errors are those of `Array.init(from:)`.
protocol DecodableArray {
  /// Decodes the array at `node`, which is a `Value`.
  static func decode<Value>(as type: Value.Type, at node: Int, by decoder: ValueDecoder) throws
    -> Value
}

extension Array: DecodableArray where Element: Decodable {
  static func decode<Value>(
    as type: Value.Type, at node: Int, by decoder: ValueDecoder
  ) throws -> Value {
    let count = try decoder.elementCount(at: node)
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var next = node + 1
    for _ in 0..<count {
      elements.append(try decoder.decode(Element.self, at: next))
      next = Int(decoder.tape[next].next)
    }
    precondition(Value.self == [Element].self)
    return unsafeBitCast(elements, to: Value.self)
  }
}

/// Which types are arrays, for those of one model: asking the runtime costs more than decoding.
struct ArrayTypes {
  private var known: [(type: ObjectIdentifier, array: (any DecodableArray.Type)?)] = []

  /// Returns the type as an array; nil if it is none.
  @inline(__always)
  mutating func array(_ type: any Any.Type) -> (any DecodableArray.Type)? {
    let identifier = ObjectIdentifier(type)
    for entry in known where entry.type == identifier { return entry.array }
    let array = type as? any DecodableArray.Type
    // A model has few; of more, each is looked up.
    if known.count < 32 { known.append((identifier, array)) }
    return array
  }
}
