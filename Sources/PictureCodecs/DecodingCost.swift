/// The memory that decoding a picture takes, estimated from its header.
struct DecodingCost: Hashable, Sendable {
  /// The bytes, with the result and without the file's own.
  let bytes: Int

  /// Whether all pixels are in memory at a time; see ``PictureLimits/wholePixels``.
  let isWhole: Bool

  /// Estimates the cost of a picture of these bytes.
  ///
  /// - Complexity: O(segments or chunks before the pixels); of a JPEG all segments before a scan.
  init(
    of file: UnsafeRawBufferPointer, _ header: PictureHeader, covering target: PixelSize
  ) throws {
    let stored = header.orientation.applied(to: header.size)
    let area = stored.width * stored.height
    let factor = BoxReducer.factor(
      from: stored, covering: header.orientation.applied(to: target))
    var result = (stored.width / factor + 1) * (stored.height / factor + 1) * 4
    // Turning makes a second one.
    if header.orientation != .topLeft { result *= 2 }
    var isWhole = false
    switch header.format {
    case .jpeg:
      let structure = try JPEGStructure(upToScanOf: file)
      let coefficients =
        structure.isMultiScan ? Double(area) * (structure.frame?.coefficientsPerPixel ?? 3) : 0
      let scaled = JPEGDecoder.scaledSize(
        of: stored, covering: header.orientation.applied(to: target))
      bytes = result + scaled.width * scaled.height * 4 + Int(coefficients) * 2
    case .png:
      isWhole = file.byte(at: 28) == 1
      bytes = result + (isWhole ? area : stored.width * 2) * 4
    case .gif:
      // An interlaced one is held as a whole, a byte for each pixel.
      bytes = result + area
    case .webp:
      // Of a lossy one a few rows; the alpha or a lossless one is held as a whole.
      isWhole =
        try WebPStructure(of: file).frame.map { frame in
          WebPChunk(at: frame.bytes.lowerBound, of: file, before: file.count)?.kind
            != WebPChunk.lossy
        } ?? false
      bytes = result + (isWhole ? area : stored.width * 16) * 4
    case .heic, .avif:
      isWhole = true
      bytes = result + (try HEIFDecoder.memory(of: file, header.format))
    default:
      bytes = result
    }
    self.isWhole = isWhole
  }

  /// The cost of composing an animation: two canvases and a frame.
  init(ofFramesOf header: PictureHeader) {
    bytes = header.size.width * header.size.height * 12
    isWhole = true
  }
}
