/// Reads the bits of a codec's headers, the most significant first.
///
/// The bytes are untrusted: all functions throw a ``PictureError`` past their end.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Reads a number of at most 32 bits.
  mutating func bits(_ count: Int) throws -> Int {
    guard position + count <= bytes.count * 8 else {
      throw PictureError(.damaged, detail: "a header of the codec ends too early")
    }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8)) & 1
      position += 1
    }
    return value
  }

  mutating func flag() throws -> Bool { try bits(1) == 1 }

  mutating func skip(_ count: Int) throws {
    for start in stride(from: 0, to: count, by: 32) { _ = try bits(min(32, count - start)) }
  }

  /// Reads a number in Exp-Golomb code (H.265, 9.2), which AV1 calls uvlc.
  mutating func golomb() throws -> Int {
    var zeros = 0
    while try !flag() { zeros += 1 }
    guard zeros <= 32 else { throw PictureError(.damaged, detail: "a number has too many bits") }
    return try 1 << zeros - 1 + bits(zeros)
  }
}
