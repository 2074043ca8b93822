/// Finds the members of an object by their names.
///
/// As in Foundation's decoder, the first of several members with equal names counts. Names are
/// compared like Swift's strings, unless the object has members whose names differ in their bytes
/// alone: then each has its own, of which Foundation finds the first only. A small object with
/// ASCII keys is searched in place, which costs less than hashing its keys.
final class ObjectReader {
  /// The maximum number of members searched one by one.
  private static let searchLimit = 24

  let decoder: ValueDecoder
  private let node: Int
  /// The values' nodes by name, for large and unusual objects.
  private let index: [String: Int]?
  /// The nodes of members that have an equal name before them, of other bytes, by these.
  private var equivalents: [[UInt8]: Int] = [:]

  /// - Throws: ``DeferredToFoundation`` if a key is not a valid string.
  init(decoder: ValueDecoder, node: Int) throws {
    self.decoder = decoder
    self.node = node
    let object = decoder.tape[node]
    index =
      object.kind == .unusualObject || object.length > Self.searchLimit
      ? try Self.index(of: node, in: decoder.tape, &equivalents) : nil
  }

  var path: [any CodingKey] { decoder.path(of: node) }

  @inline(__always)
  func find(_ key: some CodingKey) -> Int? { find(key.stringValue) }

  /// The node of the value under `name`.
  func find(_ name: String) -> Int? {
    if let index {
      return equivalents.isEmpty ? index[name] : equivalents[Array(name.utf8)] ?? index[name]
    }
    var name = name
    return name.withUTF8 { Self.find($0, of: node, in: decoder.tape) }
      ?? Self.findEquivalent(name, of: node, in: decoder.tape)
  }

  /// The distinct names, in no particular order, as with Foundation, whose order varies.
  var names: [String] {
    // A dictionary keeps the last of equal names, which is the first of the object.
    if let index {
      return equivalents.keys.map { String(decoding: $0, as: UTF8.self) } + Array(index.keys)
    }
    let tape = decoder.tape
    var names: [String] = []
    names.reserveCapacity(Int(tape[node].length))
    var key = node + 1
    for _ in 0..<tape[node].length {
      // Without an index, all keys are ASCII and therefore valid.
      if Self.find(tape.text(of: tape[key]), of: node, in: tape) == key + 1,
        let name = tape.string(of: tape[key])
      {
        names.append(name)
      }
      key = Int(tape[key + 1].next)
    }
    return names
  }

  @inline(__always)
  private static func find(
    _ name: UnsafeBufferPointer<UInt8>, of object: Int, in tape: Tape
  ) -> Int? {
    let nodes = tape.nodes
    let bytes = tape.bytes
    var key = object + 1
    for _ in 0..<nodes[object].length {
      if nodes[key].length == name.count {
        let text = bytes + Int(nodes[key].offset)
        var position = 0
        while position < name.count, text[position] == name[position] { position += 1 }
        if position == name.count { return key + 1 }
      }
      key = Int(nodes[key + 1].next)
    }
    return nil
  }

  /// Finds an ASCII key equal to a name beyond ASCII, such as "K" for the Kelvin sign.
  @inline(never)
  private static func findEquivalent(_ name: String, of object: Int, in tape: Tape) -> Int? {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    var key = object + 1
    for _ in 0..<tape[object].length {
      if tape.string(of: tape[key]) == name { return key + 1 }
      key = Int(tape[key + 1].next)
    }
    return nil
  }

  @inline(never)
  private static func index(
    of object: Int, in tape: Tape, _ equivalents: inout [[UInt8]: Int]
  ) throws -> [String: Int] {
    var index: [String: Int] = [:]
    index.reserveCapacity(Int(tape[object].length))
    var key = object + 1
    for _ in 0..<tape[object].length {
      guard let name = tape.string(of: tape[key]) else { throw tape.deferToFoundation() }
      if let first = index[name] {
        let bytes = Array(name.utf8)
        let isSame = tape.string(of: tape[first - 1])?.utf8.elementsEqual(bytes) == true
        if !isSame, equivalents[bytes] == nil { equivalents[bytes] = key + 1 }
      } else {
        index[name] = key + 1
      }
      key = Int(tape[key + 1].next)
    }
    return index
  }
}
