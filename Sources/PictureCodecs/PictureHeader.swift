package struct PictureHeader: Hashable, Sendable {
  /// The format, recognized by its first bytes.
  package let format: PictureFormat

  /// The displayed size, with the orientation applied.
  package let size: PixelSize

  package let orientation: PictureOrientation

  /// The size of the largest picture that is decoded for it, which may be cropped: limits count it.
  let decodedSize: PixelSize

  /// The number of the thumbnail in the file that stands for a picture that is too large; else nil.
  private(set) var thumbnail: Int?

  /// The size of the whole picture: not that of a thumbnail.
  package private(set) var wholeSize: PixelSize

  /// Creates a header.
  ///
  /// - Parameter decodedSize: nil if it is `size`.
  package init(
    format: PictureFormat, size: PixelSize, orientation: PictureOrientation = .topLeft,
    decodedSize: PixelSize? = nil
  ) {
    self.format = format
    self.size = size
    self.orientation = orientation
    self.decodedSize = decodedSize ?? size
    wholeSize = size
  }

  /// Returns the headers of the thumbnails in the file, the largest first.
  ///
  /// Only HEIC and AVIF have any here.
  func thumbnails(in bytes: UnsafeRawBufferPointer) throws -> [PictureHeader] {
    guard [.heic, .avif].contains(format) else { return [] }
    let structure = try HEIFStructure(bytes, format)
    let headers = structure.thumbnails.compactMap { number -> PictureHeader? in
      guard let plan = try? HEIFPlan(structure, item: number) else { return nil }  // damaged
      var header = PictureHeader(format: format, size: plan.size, decodedSize: plan.largest)
      (header.thumbnail, header.wholeSize) = (number, size)
      return header
    }
    return headers.sorted { $0.size.width * $0.size.height > $1.size.width * $1.size.height }
  }

  /// Reads the header without decoding the picture, allocating it or checking its size.
  ///
  /// Throws a ``PictureError``: `.notAPicture`, `.unsupported` if the size of that format cannot be
  /// read, `.damaged` (a side is 0, the structure is wrong) or `.incomplete`.
  ///
  /// - Complexity: O(segments before the frame header) for a JPEG, O(chunks before the pixels) for
  ///   a PNG, O(chunks) for a WebP, where EXIF comes last, O(boxes + units of the codec) for a HEIC
  ///   or AVIF; else O(1).
  package init(reading bytes: UnsafeRawBufferPointer) throws {
    guard let format = PictureFormat(sniffing: bytes) else {
      throw PictureError(.notAPicture(nil))
    }
    let size: PixelSize?
    var decodedSize: PixelSize?
    var orientation = PictureOrientation.topLeft
    switch format {
    case .jpeg:
      let structure = try JPEGStructure(upToFrameOf: bytes)
      size = structure.frame?.size
      orientation = structure.orientation ?? .topLeft
    case .png:
      size = try Self.pngSize(bytes)
      orientation = PictureOrientation(png: bytes) ?? .topLeft
    case .gif:
      size = Self.gifSize(bytes)
    case .webp:
      let structure = try WebPStructure(of: bytes)
      size = structure.canvas
      orientation = structure.orientation
    case .bmp: size = Self.bmpSize(bytes)
    case .avif, .heic:
      let plan = try HEIFPlan(HEIFStructure(bytes, format))
      (size, decodedSize) = (plan.size, plan.largest)
    case .tiff, .jpegXL, .svg: throw PictureError(.unsupported(format))
    case .html, .video: throw PictureError(.notAPicture(format))
    }
    guard let size else { throw PictureError(.incomplete) }
    guard size.width > 0, size.height > 0 else {
      throw PictureError(.damaged, detail: "a side is 0")
    }
    self.init(
      format: format, size: orientation.applied(to: size), orientation: orientation,
      decodedSize: decodedSize)
  }

  /// Reads the size from IHDR, which must come first (PNG, 5.6).
  private static func pngSize(_ bytes: UnsafeRawBufferPointer) throws -> PixelSize? {
    guard let width = bytes.bigEndian32(at: 16), let height = bytes.bigEndian32(at: 20) else {
      return nil
    }
    guard bytes.bigEndian32(at: 8) == 13, bytes.holds("IHDR", at: 12) else {
      throw PictureError(.damaged, detail: "IHDR does not come first")
    }
    return PixelSize(width: width, height: height)
  }

  /// Reads the size of the logical screen (GIF89a, 18).
  private static func gifSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
    guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// Reads the size from the bitmap header; a negative height means rows run top to bottom.
  private static func bmpSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
    if bytes.littleEndian32(at: 14) == 12 {
      guard let width = bytes.littleEndian16(at: 18), let height = bytes.littleEndian16(at: 20)
      else { return nil }
      return PixelSize(width: width, height: height)
    }
    guard let width = bytes.littleEndian32(at: 18), let height = bytes.littleEndian32(at: 22) else {
      return nil
    }
    // The magnitude as Int, which also works for Int32.min.
    let signed = Int(Int32(truncatingIfNeeded: height))
    return PixelSize(width: width, height: abs(signed))
  }
}
