/// What a picture says of itself before it is decoded.
public struct PictureHeader: Hashable, Sendable {
  /// The kind, told by its first bytes.
  public let format: PictureFormat

  /// The size of the stored pixels; an orientation is not applied.
  public let size: PixelSize

  /// Makes a header.
  public init(format: PictureFormat, size: PixelSize) {
    self.format = format
    self.size = size
  }

  /// Reads the header without decoding or allocating the picture, and without judging its size.
  ///
  /// Throws a ``PictureError``: `.notAPicture`, `.unsupported` where the size of that kind is not
  /// read, `.damaged` (a side is 0, the structure is wrong) or `.incomplete`.
  ///
  /// - Complexity: O(1), but for JPEG: O(number of segments before the frame header).
  init(reading bytes: UnsafeRawBufferPointer) throws {
    guard let format = PictureFormat(sniffing: bytes) else {
      throw PictureError(.notAPicture(nil))
    }
    let size: PixelSize?
    switch format {
    case .jpeg: size = try JPEGStructure(upToFrameOf: bytes).frame?.size
    case .png: size = try Self.pngSize(bytes)
    case .gif: size = Self.gifSize(bytes)
    case .webp: size = try Self.webPSize(bytes)
    case .bmp: size = Self.bmpSize(bytes)
    case .avif, .heic, .tiff, .jpegXL, .svg: throw PictureError(.unsupported(format))
    case .html, .video: throw PictureError(.notAPicture(format))
    }
    guard let size else { throw PictureError(.incomplete) }
    guard size.width > 0, size.height > 0 else {
      throw PictureError(.damaged, detail: "a side is 0")
    }
    self.init(format: format, size: size)
  }

  /// The size in IHDR, which must come first (PNG, 5.6).
  private static func pngSize(_ bytes: UnsafeRawBufferPointer) throws -> PixelSize? {
    guard let width = bytes.bigEndian32(at: 16), let height = bytes.bigEndian32(at: 20) else {
      return nil
    }
    guard bytes.bigEndian32(at: 8) == 13, bytes.holds("IHDR", at: 12) else {
      throw PictureError(.damaged, detail: "IHDR does not come first")
    }
    return PixelSize(width: width, height: height)
  }

  /// The size of the logical screen (GIF89a, 18).
  private static func gifSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
    guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// The size in the first chunk (RFC 9649, 2.5-2.7).
  private static func webPSize(_ bytes: UnsafeRawBufferPointer) throws -> PixelSize? {
    if bytes.holds("VP8X", at: 12) {
      guard let width = bytes.littleEndian24(at: 24), let height = bytes.littleEndian24(at: 27)
      else { return nil }
      return PixelSize(width: width + 1, height: height + 1)
    }
    if bytes.holds("VP8L", at: 12) {
      // A signature byte, then 14 bits of width - 1 and 14 of height - 1.
      guard let bits = bytes.littleEndian32(at: 21) else { return nil }
      return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    if bytes.holds("VP8 ", at: 12) {
      // A frame tag of 3 bytes, a start code of 3, then 14 bits of each side.
      guard let width = bytes.littleEndian16(at: 26), let height = bytes.littleEndian16(at: 28)
      else { return nil }
      return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }
    if bytes.count < 16 { return nil }
    throw PictureError(.damaged, detail: "no VP8 chunk comes first")
  }

  /// The size in the bitmap header; a negative height means rows top to bottom.
  private static func bmpSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
    if bytes.littleEndian32(at: 14) == 12 {
      guard let width = bytes.littleEndian16(at: 18), let height = bytes.littleEndian16(at: 20)
      else { return nil }
      return PixelSize(width: width, height: height)
    }
    guard let width = bytes.littleEndian32(at: 18), let height = bytes.littleEndian32(at: 22) else {
      return nil
    }
    // The magnitude in Int: of Int32.min too.
    let signed = Int(Int32(truncatingIfNeeded: height))
    return PixelSize(width: width, height: abs(signed))
  }
}
