internal import FoundationEssentials

/// A document as a flat list of nodes over its bytes, reused for one document after another.
///
/// The bytes are borrowed for the duration of one decode. If a type retains a decoder or a
/// container beyond it, ``keepBytes()`` gives the tape its own copy, and the tape is not reused.
final class Tape {
  /// The node that stands for an absent value.
  static let absent = 0
  /// The node of the document's value.
  static let root = 1
  /// The number of nodes whose memory is kept after a document: 1 MiB.
  private static let keptCapacity = 65_536

  private(set) var nodes: UnsafeMutablePointer<Node>
  private(set) var bytes: UnsafePointer<UInt8>
  /// Whether a requested value can only be decoded by Foundation.
  private(set) var isInDoubt = false

  /// The error of the last number without a value of the requested type.
  ///
  /// It has the path, which Foundation's does not.
  var numberError: DecodingError?

  /// Whether a decoder of this tape outlives the decode.
  var isKept = false

  private var buffer: NodeBuffer
  private var byteCount = 0
  private var copy: UnsafeMutablePointer<UInt8>?

  var arrayTypes = ArrayTypes()

  /// Decodes single numbers beyond this module's own arithmetic.
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
  /// - Returns: false if it is not strict JSON or is otherwise unusual; then the tape is
  ///   meaningless.
  func scan(_ document: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = document.baseAddress, document.count < Int32.max else { return false }
    var scanner = TapeScanner(base, count: document.count, nodes: buffer)
    let isScanned = scanner.scan()
    buffer = scanner.nodes
    nodes = buffer.base
    bytes = base
    byteCount = document.count
    isInDoubt = false
    numberError = nil
    return isScanned
  }

  func removeAll() {
    bytes = Self.noBytes
    byteCount = 0
    if buffer.capacity > Self.keptCapacity {
      buffer.deallocate()
      buffer = NodeBuffer()
      nodes = buffer.base
    }
  }

  /// Replaces the borrowed bytes with a copy.
  func keepBytes() {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(byteCount, 1))
    copy.update(from: bytes, count: byteCount)
    bytes = UnsafePointer(copy)
    self.copy = copy
  }

  /// Records that Foundation has to decode this document, and returns the error to throw.
  ///
  /// It is not a `DecodingError`, because Foundation's decoder too throws a different, private
  /// error for a malformed value.
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

/// Thrown where only Foundation can decode; its decoder then decodes the whole document.
struct DeferredToFoundation: Error {}
