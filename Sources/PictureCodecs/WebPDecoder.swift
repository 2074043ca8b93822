internal import CWebP

/// Decodes WebP with libwebp, which scales while decoding.
///
/// Of an animation this is the first frame; see ``WebPAnimation``.
enum WebPDecoder {
  /// Decodes the smallest size that covers the target.
  ///
  /// Memory holds the result and a few rows; a lossless picture is held entirely, at 4 bytes per
  /// pixel, and so is the alpha of a lossy one. If the bytes end
  /// early, missing rows are transparent and the picture is marked incomplete. An animation's
  /// background color is ignored, as in browsers.
  ///
  /// Throws a ``PictureError``, and `CancellationError` between two pieces of the bytes.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, covering target: PixelSize, limits: PictureLimits,
    deadline: DecodingDeadline
  ) throws -> DecodedPicture {
    let structure = try WebPStructure(of: bytes)
    guard let canvas = structure.canvas, let frame = structure.frame else {
      guard structure.isWhole else { throw PictureError(.incomplete) }
      throw PictureError(.damaged, detail: "there is no picture chunk")
    }
    try limits.check(canvas)
    let picture = UnsafeRawBufferPointer(rebasing: bytes[frame.bytes])
    let features = try features(of: picture, frame)
    try deadline.check()

    let scaled = scaledSize(of: canvas, covering: target)
    let rect = scaledRect(of: frame.rect, on: canvas, scaledTo: scaled)
    var isComplete = false
    var pixels = [UInt8](repeating: 0, count: scaled.width * scaled.height * 4)
    try pixels.withUnsafeMutableBufferPointer { pixels in
      let decoder = try IncrementalWebPDecoder(
        into: pixels, stride: scaled.width * 4, rect: rect, isScaled: frame.rect.size != rect.size)
      isComplete = try decoder.decode(picture, deadline)
      if !isComplete, decoder.rowCount == 0 {
        throw PictureError(frame.isWhole ? .damaged : .incomplete)
      }
    }
    let isOpaque = features.has_alpha == 0 && frame.rect.size == canvas && isComplete
    let bitmap = Bitmap(size: scaled, pixels: pixels)
    return DecodedPicture(
      bitmap: bitmap.reduced(
        byBoxesOf: BoxReducer.factor(from: scaled, covering: target), isOpaque: isOpaque),
      originalSize: canvas, isIncomplete: !isComplete || !structure.isWhole)
  }

  /// Decodes a frame of an animation at its full size: RGBA.
  ///
  /// Throws a ``PictureError``, also if a part is missing, and `CancellationError`.
  static func pixels(
    of frame: WebPStructure.Frame, in bytes: UnsafeRawBufferPointer, deadline: DecodingDeadline
  ) throws -> [UInt8] {
    let picture = UnsafeRawBufferPointer(rebasing: bytes[frame.bytes])
    _ = try features(of: picture, frame)
    let size = frame.rect.size
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
    try pixels.withUnsafeMutableBufferPointer { pixels in
      let decoder = try IncrementalWebPDecoder(
        into: pixels, stride: size.width * 4, rect: PixelRect(x: 0, y: 0, size: size),
        isScaled: false)
      guard try decoder.decode(picture, deadline) else { throw PictureError(.incomplete) }
    }
    return pixels
  }

  /// Reads a frame's features from libwebp, rejecting it if they contradict the container.
  private static func features(
    of picture: UnsafeRawBufferPointer, _ frame: WebPStructure.Frame
  ) throws -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(
      picture.bindMemory(to: UInt8.self).baseAddress, picture.count, &features)
    if status == VP8_STATUS_NOT_ENOUGH_DATA, !frame.isWhole { throw PictureError(.incomplete) }
    try check(status)
    let size = PixelSize(width: Int(features.width), height: Int(features.height))
    guard size == frame.rect.size else {
      throw PictureError(.damaged, detail: "the picture and its frame differ in size")
    }
    return features
  }

  /// Returns the smallest size with the same proportions that covers the target without enlarging.
  ///
  /// No side becomes less than 16: libwebp sums a column of the picture in 32 bits, which 50
  /// megapixels in fewer rows would overflow (dsp/rescaler.c).
  static func scaledSize(of size: PixelSize, covering target: PixelSize) -> PixelSize {
    let (width, height) = (max(target.width, 16), max(target.height, 16))
    guard width < size.width, height < size.height else { return size }
    // Rounded up, so never less than the target.
    return width * size.height >= height * size.width
      ? PixelSize(width: width, height: (width * size.height + size.width - 1) / size.width)
      : PixelSize(width: (height * size.width + size.height - 1) / size.height, height: height)
  }

  /// Returns a frame's rectangle on the scaled canvas: at least one pixel large.
  static func scaledRect(
    of rect: PixelRect, on canvas: PixelSize, scaledTo scaled: PixelSize
  ) -> PixelRect {
    func edge(_ offset: Int, _ from: Int, _ to: Int) -> Int { (offset * to + from / 2) / from }
    let left = min(edge(rect.x, canvas.width, scaled.width), scaled.width - 1)
    let top = min(edge(rect.y, canvas.height, scaled.height), scaled.height - 1)
    let right = edge(rect.x + rect.size.width, canvas.width, scaled.width)
    let bottom = edge(rect.y + rect.size.height, canvas.height, scaled.height)
    return PixelRect(
      x: left, y: top,
      size: PixelSize(width: max(1, right - left), height: max(1, bottom - top)))
  }

  fileprivate static func check(_ status: VP8StatusCode) throws {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw PictureError(.unsupported(.webp))
    default: throw PictureError(.damaged, detail: "libwebp's status is \(status.rawValue)")
    }
  }
}

/// Decodes a picture piece by piece: the only code that calls libwebp's decoder.
///
/// It writes into borrowed memory, which must outlive it.
private struct IncrementalWebPDecoder: ~Copyable {
  /// The configuration, on the heap because libwebp keeps a pointer into it.
  private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
  private let decoder: OpaquePointer

  /// Prepares to decode into a rectangle of the canvas, at the rectangle's size.
  ///
  /// - Parameters:
  ///   - canvas: RGBA, with rows of `stride` bytes.
  ///   - rect: the rectangle, within the canvas.
  ///   - isScaled: whether the picture's size differs from the rectangle's. If not, its chroma is
  ///     interpolated, which libwebp does not do while scaling.
  init(
    into canvas: UnsafeMutableBufferPointer<UInt8>, stride: Int, rect: PixelRect, isScaled: Bool
  ) throws {
    configuration = .allocate(capacity: 1)
    configuration.initialize(to: WebPDecoderConfig())
    let start = rect.y * stride + rect.x * 4
    var memory = WebPRGBABuffer()
    memory.rgba = canvas.baseAddress! + start
    memory.stride = Int32(stride)
    memory.size = (rect.size.height - 1) * stride + rect.size.width * 4
    precondition(start + memory.size <= canvas.count, "the rectangle is not within the canvas")
    let isVersion = WebPInitDecoderConfig(configuration) != 0
    configuration.pointee.output.colorspace = MODE_RGBA
    configuration.pointee.output.is_external_memory = 1
    configuration.pointee.output.u.RGBA = memory
    // Smooths and converts rows beside the thread that reads the next ones.
    configuration.pointee.options.use_threads = 1
    configuration.pointee.options.use_scaling = isScaled ? 1 : 0
    configuration.pointee.options.scaled_width = Int32(rect.size.width)
    configuration.pointee.options.scaled_height = Int32(rect.size.height)
    guard isVersion, let decoder = WebPIDecode(nil, 0, configuration) else {
      configuration.deallocate()
      throw PictureError(.damaged, detail: "libwebp has no memory, or is another version")
    }
    self.decoder = decoder
  }

  deinit {
    WebPIDelete(decoder)
    configuration.deallocate()
  }

  /// Decodes the whole picture; false if the bytes end early.
  func decode(_ picture: UnsafeRawBufferPointer, _ deadline: DecodingDeadline) throws -> Bool {
    let start = picture.bindMemory(to: UInt8.self).baseAddress
    // libwebp repeats unfinished work with the next piece, so there must not be too many pieces.
    let piece = max(4_096, picture.count / 100)
    var count = 0
    while count < picture.count {
      try deadline.check()
      count = min(count + piece, picture.count)
      let status = WebPIUpdate(decoder, start, count)
      if status == VP8_STATUS_SUSPENDED { continue }
      try WebPDecoder.check(status)
      return true
    }
    return false
  }

  /// The number of finished rows of the rectangle, from the top.
  var rowCount: Int {
    var last: Int32 = 0
    return WebPIDecGetRGB(decoder, &last, nil, nil, nil) == nil ? 0 : Int(last)
  }
}
