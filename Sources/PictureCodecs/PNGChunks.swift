/// The chunks of a PNG before its pixels, without the first (PNG, 5.3).
struct PNGChunks: Sequence, IteratorProtocol {
  struct Chunk {
    /// Its four letters.
    let kind: String
    /// The range of its content, all of which is present.
    let content: Range<Int>
  }

  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next chunk; the first one after IHDR.
  private var offset = 33

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> Chunk? {
    // A chunk is its length, four letters, the content and a checksum.
    guard let length = bytes.bigEndian32(at: offset), offset + 8 + length <= bytes.count,
      !bytes.holds("IDAT", at: offset + 4)
    else { return nil }
    let content = offset + 8..<offset + 8 + length
    let kind = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
    offset += 12 + length
    return Chunk(kind: kind, content: content)
  }
}
