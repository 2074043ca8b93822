/// A chunk of a RIFF file: four letters, a size, the content, and a padding byte after an odd size.
struct WebPChunk {
  static let extended = 0x5650_3858  // "VP8X"
  static let lossy = 0x5650_3820  // "VP8 "
  static let lossless = 0x5650_384C  // "VP8L"
  static let alpha = 0x414C_5048  // "ALPH"
  static let animationFrame = 0x414E_4D46  // "ANMF"
  static let animation = 0x414E_494D  // "ANIM"
  static let exif = 0x4558_4946  // "EXIF"
  static let profile = 0x4943_4350  // "ICCP"

  /// The four letters as a number, the first the most significant.
  let kind: Int
  /// The range of the content that is present.
  let content: Range<Int>
  /// The offset of the next chunk, possibly past the end.
  let end: Int
  let isWhole: Bool

  /// Reads a chunk's header; nil if it does not lie before the limit.
  init?(at offset: Int, of bytes: UnsafeRawBufferPointer, before limit: Int) {
    guard offset + 8 <= limit, let kind = bytes.bigEndian32(at: offset),
      let size = bytes.littleEndian32(at: offset + 4)
    else { return nil }
    self.kind = kind
    let start = offset + 8
    content = start..<min(start + size, limit)
    end = start + size + size % 2
    isWhole = start + size <= limit
  }
}
