/// Walks over the blocks of a GIF without decoding them (GIF89a, 15-26).
struct GIFBlocks {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int

  private(set) var imageCount = 0

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Returns how many images a file has, at least as far as its bytes go.
  ///
  /// - Complexity: O(blocks); a block has up to 255 bytes.
  static func imageCount(of bytes: UnsafeRawBufferPointer) -> Int {
    // The signature, the sides of the screen, flags with the size of the palette, and two bytes.
    var blocks = GIFBlocks(bytes, at: 13 + paletteSize(bytes.byte(at: 10) ?? 0))
    _ = blocks.skipToEnd()  // the images before the end count
    return blocks.imageCount
  }

  /// Returns the size of the first image, and whether its rows are interlaced; nil for no image.
  static func firstImage(
    of bytes: UnsafeRawBufferPointer
  ) -> (size: PixelSize, isInterlaced: Bool)? {
    var blocks = GIFBlocks(bytes, at: 13 + paletteSize(bytes.byte(at: 10) ?? 0))
    while bytes.byte(at: blocks.offset) == 0x21 {
      blocks.offset += 2
      guard blocks.skipSubBlocks() else { return nil }
    }
    guard bytes.byte(at: blocks.offset) == 0x2C,
      let width = bytes.littleEndian16(at: blocks.offset + 5),
      let height = bytes.littleEndian16(at: blocks.offset + 7),
      let flags = bytes.byte(at: blocks.offset + 9)
    else { return nil }
    return (PixelSize(width: width, height: height), flags & 0x40 != 0)
  }

  /// Skips sub-blocks and the empty one that ends them; false if the bytes end before.
  mutating func skipSubBlocks() -> Bool {
    while let length = bytes.byte(at: offset) {
      offset += 1 + Int(length)
      if length == 0 { return true }
    }
    return false
  }

  /// Returns the contents of the sub-blocks at an offset, up to the empty one that ends them.
  static func subBlocks(of bytes: UnsafeRawBufferPointer, at offset: Int) -> [[UInt8]] {
    var (offset, blocks) = (offset, [[UInt8]]())
    while let length = bytes.byte(at: offset).map({ Int($0) }), length > 0,
      offset + 1 + length <= bytes.count
    {
      blocks.append(Array(bytes[offset + 1..<offset + 1 + length]))
      offset += 1 + length
    }
    return blocks
  }

  /// Skips all blocks up to the trailer; false if the bytes end within one.
  ///
  /// The trailer may be missing, as some programs omit it.
  mutating func skipToEnd() -> Bool {
    while let introducer = bytes.byte(at: offset) {
      switch introducer {
      case 0x21:  // an extension: its label, and sub-blocks
        offset += 2
      case 0x2C:  // an image: its descriptor, perhaps a palette, a code size, and sub-blocks
        guard let flags = bytes.byte(at: offset + 9) else { return false }
        offset += 10 + Self.paletteSize(flags) + 1
        imageCount += 1
      default:  // the trailer, or what browsers accept as one
        return true
      }
      guard skipSubBlocks() else { return false }
    }
    return offset == bytes.count
  }

  /// Returns the size of a palette, according to the flags before it.
  static func paletteSize(_ flags: UInt8) -> Int {
    flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
  }
}
