/// A key of any name.
struct AnyKey: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A description in which all keys of coding paths have one type.
///
/// The steps of a path are the names in the document, not the keys by which a type asked for them.
func withoutKeyTypes(_ value: Any) -> String {
  "\(value)".replacing(/\w+\(stringValue:/, with: "_CodingKey(stringValue:")
}

/// Requests everything from a decoder at every value, and logs all results and caught errors.
///
/// A type that catches errors cannot distinguish two decoders with equal logs.
struct Probe: Decodable, Equatable {
  private(set) var log: [String] = []

  init(from decoder: any Decoder) throws {
    note("path") { decoder.codingPath }
    try single(decoder.singleValueContainer())
    note("keyed") { try decoder.container(keyedBy: AnyKey.self).allKeys.count }
    note("unkeyed") { try decoder.unkeyedContainer().count as Any }
    if let keyed = try? decoder.container(keyedBy: AnyKey.self) { self.keyed(keyed) }
    if let unkeyed = try? decoder.unkeyedContainer() { self.unkeyed(unkeyed) }
    note("path after") { decoder.codingPath }
  }

  private mutating func note(_ name: String, _ body: () throws -> Any) {
    do {
      log.append(withoutKeyTypes("\(name): \(try body())"))
    } catch {
      log.append(withoutKeyTypes("\(name): \(String(reflecting: error))"))
    }
  }

  private mutating func single(_ container: any SingleValueDecodingContainer) {
    note("nil") { container.decodeNil() }
    note("Bool") { try container.decode(Bool.self) }
    note("Int64") { try container.decode(Int64.self) }
    note("Int128") { try container.decode(Int128.self) }
    note("Double") { try container.decode(Double.self) }
    note("Float") { try container.decode(Float.self) }
    note("String") { try container.decode(String.self) }
    note("String?") { try container.decode(String?.self) as Any }
    note("[Int]") { try container.decode([Int].self) }
    note("special") { try container.decode(Special.self).log }
  }

  private mutating func keyed(_ container: KeyedDecodingContainer<AnyKey>) {
    // Foundation's order is random.
    let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    note("allKeys") { keys.map(\.stringValue) }
    for key in keys + [AnyKey(stringValue: "missing")] {
      note("contains") { container.contains(key) }
      note("nil") { try container.decodeNil(forKey: key) }
      note("Bool") { try container.decode(Bool.self, forKey: key) }
      note("Int64") { try container.decode(Int64.self, forKey: key) }
      note("Double") { try container.decode(Double.self, forKey: key) }
      note("String") { try container.decode(String.self, forKey: key) }
      note("Bool?") { try container.decodeIfPresent(Bool.self, forKey: key) as Any }
      note("Int64?") { try container.decodeIfPresent(Int64.self, forKey: key) as Any }
      note("Int128?") { try container.decodeIfPresent(Int128.self, forKey: key) as Any }
      note("Double?") { try container.decodeIfPresent(Double.self, forKey: key) as Any }
      note("String?") { try container.decodeIfPresent(String.self, forKey: key) as Any }
      note("[Int]?") { try container.decodeIfPresent([Int].self, forKey: key) as Any }
      note("special") { try container.decode(Special.self, forKey: key).log }
      note("keyed") {
        try container.nestedContainer(keyedBy: AnyKey.self, forKey: key).codingPath
      }
      note("unkeyed") { try container.nestedUnkeyedContainer(forKey: key).codingPath }
      note("super") {
        let decoder = try container.superDecoder(forKey: key)
        return (decoder.codingPath, try String(from: decoder))
      }
      note("probe") { try container.decode(Probe.self, forKey: key).log }
    }
    note("super") {
      let decoder = try container.superDecoder()
      return (decoder.codingPath, try String(from: decoder))
    }
  }

  private mutating func unkeyed(_ start: any UnkeyedDecodingContainer) {
    var container = start
    repeat {
      note("at") { (container.currentIndex, container.isAtEnd, container.count as Any) }
      note("Bool") { try container.decode(Bool.self) }
      note("Int64") { try container.decode(Int64.self) }
      note("Double") { try container.decode(Double.self) }
      note("String") { try container.decode(String.self) }
      note("keyed") { try container.nestedContainer(keyedBy: AnyKey.self).codingPath }
      note("unkeyed") { try container.nestedUnkeyedContainer().codingPath }
      note("special") { try container.decode(Special.self).log }
      note("nil") { try container.decodeNil() }
      note("probe") { try container.decode(Probe.self).log }
    } while !container.isAtEnd
    end(container)
    container = start
    note("super") { try String(from: container.superDecoder()) }
    while !container.isAtEnd {
      note("Int64?") { try container.decodeIfPresent(Int64.self) as Any }
      note("Bool?") { try container.decodeIfPresent(Bool.self) as Any }
      note("String?") { try container.decodeIfPresent(String.self) as Any }
      note("Double?") { try container.decodeIfPresent(Double.self) as Any }
      note("Probe?") { try container.decodeIfPresent(Probe.self)?.log as Any }
      note("at") { container.currentIndex }
    }
  }

  /// Asks for more than there is.
  private mutating func end(_ start: any UnkeyedDecodingContainer) {
    var container = start
    note("end nil") { try container.decodeNil() }
    note("end Int") { try container.decode(Int.self) }
    note("end String") { try container.decode(String.self) }
    note("end Double") { try container.decode(Double.self) }
    note("end Bool") { try container.decode(Bool.self) }
    note("end Probe") { try container.decode(Probe.self).log }
    note("end keyed") { try container.nestedContainer(keyedBy: AnyKey.self).codingPath }
    note("end unkeyed") { try container.nestedUnkeyedContainer().codingPath }
    note("end super") { try container.superDecoder().codingPath }
    note("end String?") { try container.decodeIfPresent(String.self) as Any }
    note("end at") { (container.currentIndex, container.isAtEnd) }
    note("end Int128?") { try container.decodeIfPresent(Int128.self) as Any }
    note("end at") { (container.currentIndex, container.isAtEnd) }
    note("end [Int]?") { try container.decodeIfPresent([Int].self) as Any }
    note("end at") { (container.currentIndex, container.isAtEnd) }
  }
}
