/// The peak of memory that decoding a picture takes, estimated from its header.
///
/// It is never below what is measured, and with Debian 12's libraries at most a fifth above it.
struct DecodingCost: Hashable, Sendable {
  /// The bytes, with the result and without the file's own.
  let bytes: Int

  /// Estimates the cost of a picture of these bytes.
  ///
  /// Throws a ``PictureError``.
  ///
  /// - Complexity: that of ``PictureHeader/init(reading:)``; of a JPEG all segments before a scan.
  init(
    of file: UnsafeRawBufferPointer, _ header: PictureHeader, covering target: PixelSize
  ) throws {
    let stored = header.orientation.applied(to: header.size)
    let target = header.orientation.applied(to: target)
    let area = stored.width * stored.height
    var result = Reduction(of: stored, covering: target)
    let peak: Int
    switch header.format {
    case .jpeg:
      let structure = try JPEGStructure(upToScanOf: file)
      let coefficients = structure.isMultiScan ? structure.frame?.coefficientsPerPixel ?? 3 : 0
      let scaled = JPEGDecoder.scaledSize(of: stored, covering: target)
      result = Reduction(of: scaled, covering: target)
      peak = Int(Double(area) * coefficients) * 2 + result.whole
    case .png where file.byte(at: 28) == 1: peak = result.whole
    // libpng's rows have up to eight bytes a pixel.
    case .png: peak = stored.width * 24 + result.bytes
    case .gif:
      let image = GIFBlocks.firstImage(of: file)
      // An interlaced one is held as a whole, a byte for each pixel.
      let held = image.map { $0.isInterlaced ? $0.size.width * $0.size.height : 0 } ?? 0
      peak = held + stored.width * 8 + result.bytes
    case .webp:
      result = Reduction(of: WebPDecoder.scaledSize(of: stored, covering: target), covering: target)
      peak = try Self.webp(file) + result.whole
    case .heic, .avif:
      let plan = try HEIFPlan(HEIFStructure(file, header.format), item: header.thumbnail)
      peak = max(plan.memory - Self.own, area * 4 + result.bytes)
    default: peak = result.bytes
    }
    // Turning makes a second result, once the rest is gone.
    let turned = header.orientation == .topLeft ? 0 : result.pixels * 8
    bytes = max(peak, turned) + Self.own
  }

  /// The memory that a library takes for itself, and a thread that starts meanwhile.
  private static let own = 1_250_000

  /// Throws a ``PictureError`` of kind `.tooCostly` if a picture takes more than it may.
  static func check(
    _ file: UnsafeRawBufferPointer, _ header: PictureHeader, _ limits: PictureLimits
  ) throws {
    let cost = try DecodingCost(of: file, header, covering: PixelSize(width: 1, height: 1))
    guard cost.bytes <= limits.memory else {
      throw PictureError(.tooCostly(header.format, header.size))
    }
  }

  /// The cost of composing an animation: two canvases and a frame.
  init(ofFramesOf header: PictureHeader) {
    bytes = header.size.width * header.size.height * 12
  }

  /// Returns the bytes that libwebp takes beside the pixels.
  private static func webp(_ file: UnsafeRawBufferPointer) throws -> Int {
    guard let frame = try WebPStructure(of: file).frame else { return 0 }
    let (width, area) = (frame.rect.size.width, frame.rect.size.width * frame.rect.size.height)
    let chunk = WebPChunk(at: frame.bytes.lowerBound, of: file, before: file.count)
    switch chunk?.kind {
    // A few rows.
    case WebPChunk.lossy: return width * 64
    case WebPChunk.lossless: return area * 4
    default:
      // A byte of alpha for each pixel, and if it is packed, one while it is unpacked: by libwebp
      // and all known encoders as the index of a color. Anything else takes four (RFC 9649, 2.7.1.2
      // and 4: whether there is a change of colors, and its kind).
      let start = chunk?.content.lowerBound ?? 0
      let (isPacked, first) = (file.byte(at: start).map { $0 & 3 == 1 }, file.byte(at: start + 1))
      let isIndex = first.map { $0 & 7 == 7 } ?? false
      return width * 64 + area * (isPacked != true ? 1 : isIndex ? 2 : 5)
    }
  }

  /// A picture that is reduced by whole boxes.
  private struct Reduction {
    /// The pixels of the result.
    let pixels: Int
    /// The bytes of the result, and of the sums of a row.
    let bytes: Int
    /// The bytes of the picture and its result, which are one if nothing is reduced.
    let whole: Int

    init(of size: PixelSize, covering target: PixelSize) {
      let factor = BoxReducer.factor(from: size, covering: target)
      let width = (size.width + factor - 1) / factor
      pixels = width * ((size.height + factor - 1) / factor)
      bytes = pixels * 4 + (factor == 1 ? 0 : width * 32)
      whole = size.width * size.height * 4 + (factor == 1 ? 0 : bytes)
    }
  }
}
