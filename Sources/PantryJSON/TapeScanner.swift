/// Parses the bytes of a document into nodes, in one pass and without recursion.
///
/// It accepts strict JSON (RFC 8259) in UTF-8 without a byte order mark, and nothing else. Two
/// checks are deferred until a string is decoded: its UTF-8 and its surrogate pairs.
struct TapeScanner {
  /// The nesting depth from which Foundation decodes a document; its own limit is 512.
  static let depthLimit = 256

  let bytes: UnsafePointer<UInt8>
  let end: Int
  var position = 0
  private(set) var nodes: NodeBuffer
  /// The innermost open array or object; while it is open, its `next` is the enclosing one.
  private var parent = 0
  private var depth = 0

  /// - Parameter nodes: memory for the nodes.
  init(_ bytes: UnsafePointer<UInt8>, count: Int, nodes: NodeBuffer) {
    self.bytes = bytes
    end = count
    self.nodes = nodes
    self.nodes.removeAll()
    append(.null, at: 0, length: 0)
  }

  /// Returns whether the document is strict JSON; if so, its nodes are complete.
  mutating func scan() -> Bool {
    repeat {
      guard let opened = scanValue() else { return false }
      if opened { continue }
      guard let closedAll = scanAfterValue() else { return false }
      if closedAll { break }
    } while true
    skipWhitespace()
    return position == end
  }

  /// Reads one scalar or empty container, or opens a container up to its first value.
  ///
  /// - Returns: whether a container was opened; nil if there is no value.
  @inline(__always)
  private mutating func scanValue() -> Bool? {
    switch skipWhitespace() {
    case UInt8(ascii: "\""):
      position += 1
      return appendString() ? false : nil
    case UInt8(ascii: "{"): return open(.object, end: UInt8(ascii: "}"))
    case UInt8(ascii: "["): return open(.array, end: UInt8(ascii: "]"))
    case UInt8(ascii: "t"): return appendLiteral("true", .true) ? false : nil
    case UInt8(ascii: "f"): return appendLiteral("false", .false) ? false : nil
    case UInt8(ascii: "n"): return appendLiteral("null", .null) ? false : nil
    default: return appendNumber() ? false : nil
    }
  }

  /// Reads the text after a value: closing brackets, or a comma and a key.
  ///
  /// - Returns: whether the document's value is complete; nil if it is not JSON.
  @inline(__always)
  private mutating func scanAfterValue() -> Bool? {
    while depth > 0 {
      nodes.base[parent].length += 1
      let isArray = nodes.base[parent].kind == .array
      switch skipWhitespace() {
      case UInt8(ascii: ","):
        position += 1
        return isArray || appendKey() ? false : nil
      case UInt8(ascii: "]") where isArray, UInt8(ascii: "}") where !isArray:
        position += 1
        close()
      default: return nil
      }
    }
    return true
  }

  @inline(__always)
  private mutating func open(_ kind: Node.Kind, end: UInt8) -> Bool? {
    guard depth < Self.depthLimit else { return nil }
    position += 1
    let index = nodes.count
    if skipWhitespace() == end {
      position += 1
      append(kind, at: position, length: 0)
      return false
    }
    nodes.append(
      Node(
        kind: kind, offset: UInt32(position), length: 0, next: UInt32(truncatingIfNeeded: parent)))
    parent = index
    depth += 1
    return kind == .array || appendKey() ? true : nil
  }

  @inline(__always)
  private mutating func close() {
    let outer = Int(nodes.base[parent].next)
    nodes.base[parent].next = UInt32(truncatingIfNeeded: nodes.count)
    parent = outer
    depth -= 1
  }

  /// Reads a key and its colon.
  @inline(__always)
  private mutating func appendKey() -> Bool {
    guard skipWhitespace() == UInt8(ascii: "\"") else { return false }
    position += 1
    let start = position
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        append(.string, at: start, length: position - start)
        position += 1
        return appendColon()
      }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { break }
      position += 1
    }
    position = start
    nodes.base[parent].kind = .unusualObject
    return appendString() && appendColon()
  }

  @inline(__always)
  private mutating func appendColon() -> Bool {
    guard skipWhitespace() == UInt8(ascii: ":") else { return false }
    position += 1
    return true
  }

  /// Moves to the next byte other than white space, and returns it; NUL at the end.
  @inline(__always) @discardableResult
  private mutating func skipWhitespace() -> UInt8 {
    while position < end {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        position += 1
      default: return byte
      }
    }
    return 0
  }

  @inline(__always)
  mutating func append(_ kind: Node.Kind, at offset: Int, length: Int) {
    nodes.append(
      Node(
        kind: kind, offset: UInt32(truncatingIfNeeded: offset),
        length: UInt32(truncatingIfNeeded: length),
        next: UInt32(truncatingIfNeeded: nodes.count + 1)))
  }
}
