internal import FoundationEssentials

/// A document as a flat list of nodes over its bytes, reused for one document after another.
///
/// The bytes are borrowed for the time of one decode. If something outlives it, a decoder or a
/// container that a type kept, ``keepBytes()`` gives the tape a copy of its own, and the tape is
/// not used again.
final class Tape {
  /// The node that stands for a value that is not there.
  static let absent = 0
  /// The node of the document's value.
  static let root = 1
  /// Memory for more nodes than this is given back after a document: 1 MiB.
  private static let keptCapacity = 65_536

  /// The first node.
  private(set) var nodes: UnsafeMutablePointer<Node>
  /// The first byte of the document.
  private(set) var bytes: UnsafePointer<UInt8>
  /// Whether a value was asked for that only Foundation can answer.
  private(set) var isInDoubt = false

  /// Whether a decoder of this tape outlives the decode.
  var isKept = false

  private var buffer: NodeBuffer
  private var byteCount = 0
  private var copy: UnsafeMutablePointer<UInt8>?

  /// Decodes single numbers that are beyond our own arithmetic.
  let literals = JSONDecoder()

  init() {
    buffer = NodeBuffer()
    nodes = buffer.base
    bytes = Self.noBytes
  }

  deinit {
    buffer.deallocate()
    copy?.deallocate()
  }

  private static var noBytes: UnsafePointer<UInt8> { StaticString("").utf8Start }

  /// Reads the structure of a document, whose bytes must stay until ``removeAll()``.
  ///
  /// - Returns: False if it is not JSON of the strictest kind or is unusual in another way. The
  ///   tape then has no meaning.
  func scan(_ document: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = document.baseAddress, document.count < Int32.max else { return false }
    var scanner = TapeScanner(base, count: document.count, nodes: buffer)
    let isScanned = scanner.scan()
    buffer = scanner.nodes
    nodes = buffer.base
    bytes = base
    byteCount = document.count
    isInDoubt = false
    return isScanned
  }

  /// Lets go of the document.
  func removeAll() {
    bytes = Self.noBytes
    byteCount = 0
    if buffer.capacity > Self.keptCapacity {
      buffer.deallocate()
      buffer = NodeBuffer()
      nodes = buffer.base
    }
  }

  /// Replaces the borrowed bytes by a copy.
  func keepBytes() {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(byteCount, 1))
    copy.update(from: bytes, count: byteCount)
    bytes = UnsafePointer(copy)
    self.copy = copy
  }

  /// Notes that Foundation has to decode this document, and returns the error to throw.
  ///
  /// It is no `DecodingError`, because Foundation's decoder throws another, private error too
  /// where the text of a value is at fault.
  func deferToFoundation() -> DeferredToFoundation {
    isInDoubt = true
    return DeferredToFoundation()
  }

  @inline(__always)
  subscript(node: Int) -> Node { nodes[node] }

  /// The bytes of a number or string, valid as long as the document.
  @inline(__always)
  func text(of node: Node) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(node.offset), count: Int(node.length))
  }
}

/// Thrown where only Foundation knows the answer; its decoder then decodes the whole document.
struct DeferredToFoundation: Error {}
