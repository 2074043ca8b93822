internal import CTurboJPEG

/// Decodes JPEG with libjpeg-turbo's TurboJPEG API: the only code that calls it to decode.
///
/// It decodes at 1/8, 2/8 ... 8/8 of the size, so the full-size picture is in memory only if
/// requested. A progressive JPEG keeps its coefficients.
enum JPEGDecoder {
  /// Decodes the smallest size that covers the target.
  ///
  /// A picture with missing or damaged data is returned with the rest gray and marked incomplete.
  /// TurboJPEG decodes in one call: cancellation is checked before and after it, the deadline
  /// before; ``PictureLimits`` bounds the cost of the call.
  ///
  /// Ink becomes light here, by its profile if it has one; other colors stay as they are stored.
  ///
  /// Throws a ``PictureError``, and `CancellationError`.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, _ stored: PictureColors, covering target: PixelSize,
    limits: PictureLimits, deadline: DecodingDeadline
  ) throws -> DecodedPicture {
    let structure = try JPEGStructure(of: bytes)
    try check(structure, limits)
    if !structure.reachesEnd, structure.hasAllScans {
      // Some programs leave the end marker out. With it, libjpeg reports missing pixels.
      let ended = Array(bytes) + [0xFF, 0xD9]
      return try ended.withUnsafeBytes {
        try decode(
          $0, structure, stored, covering: target, limits: limits, deadline: deadline)
      }
    }
    return try decode(
      bytes, structure, stored, covering: target, limits: limits, deadline: deadline)
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ structure: JPEGStructure, _ stored: PictureColors,
    covering target: PixelSize, limits: PictureLimits, deadline: DecodingDeadline
  ) throws -> DecodedPicture {
    guard let handle = tjInitDecompress() else {
      throw PictureError(.damaged, detail: String(cString: tjGetErrorStr2(nil)))
    }
    defer { tjDestroy(handle) }
    let (size, colors) = try header(handle, bytes)
    // Both frame headers agree unless the file is malicious.
    try limits.check(size)
    try deadline.check()

    let scaled = scaledSize(of: size, covering: target)
    let isCMYK = colors == panda_tj_colors_cmyk || colors == panda_tj_colors_ycck
    // Without TJFLAG_FASTDCT: it only affects full size, is a few percent faster, and leaves
    // visible artifacts in smooth fur.
    var isIncomplete = false
    var pixels = try [UInt8](unsafeUninitializedCapacity: scaled.width * scaled.height * 4) {
      buffer, count in
      let result = tjDecompress2(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count),
        buffer.baseAddress, Int32(scaled.width), 0, Int32(scaled.height),
        isCMYK ? panda_tj_pixels_cmyk : panda_tj_pixels_rgba, panda_tj_limit_scans)
      if try check(result, of: handle, structure) == .incomplete { isIncomplete = true }
      count = buffer.count
    }
    try Task.checkCancellation()
    var issue: String?
    if isCMYK {
      issue = convertCMYK(
        &pixels, width: scaled.width, from: stored, isInverted: structure.hasAdobeMarker)
    }
    let bitmap = Bitmap(size: scaled, pixels: pixels)
    return DecodedPicture(
      bitmap: bitmap.reduced(byBoxesOf: BoxReducer.factor(from: scaled, covering: target)),
      originalSize: size, isIncomplete: isIncomplete, isAsStored: !isCMYK, colorIssue: issue)
  }

  /// Rejects pictures that libjpeg cannot decode, or only at a high cost.
  static func check(_ structure: JPEGStructure, _ limits: PictureLimits) throws {
    guard let frame = structure.frame else { throw PictureError(.incomplete) }
    guard frame.isDecodable else { throw PictureError(.unsupported(.jpeg)) }
    try limits.check(frame.size)
    let pixels = frame.size.width * frame.size.height
    let (scanned, overflow) = pixels.multipliedReportingOverflow(by: structure.scanCount)
    guard !structure.isMultiScan || !overflow && scanned <= limits.scannedPixels else {
      throw PictureError(.tooCostly(.jpeg, frame.size))
    }
    guard structure.scanCount > 0 else { throw PictureError(.incomplete) }
  }

  /// Returns the size and the `TJCS` color space, from libjpeg.
  private static func header(
    _ handle: tjhandle, _ bytes: UnsafeRawBufferPointer
  ) throws -> (PixelSize, Int32) {
    var (width, height, subsampling, colors) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
    let result = tjDecompressHeader3(
      handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height,
      &subsampling, &colors)
    // An unnamed subsampling makes it fail after it has filled in the rest; decoding to RGBA does
    // not need the name.
    guard width > 0, height > 0, colors >= 0 else {
      let message = result == 0 ? "no color space" : String(cString: tjGetErrorStr2(handle))
      throw PictureError(.damaged, detail: message)
    }
    return (PixelSize(width: Int(width), height: Int(height)), colors)
  }

  /// Returns TurboJPEG's smallest scaled size, at most full size, that covers the target.
  static func scaledSize(of size: PixelSize, covering target: PixelSize) -> PixelSize {
    var count: Int32 = 0
    guard let factors = tjGetScalingFactors(&count) else { return size }
    var best = size
    for factor in UnsafeBufferPointer(start: factors, count: Int(count))
    where factor.num <= factor.denom {
      // Equivalent to TJSCALED, a macro that Swift does not import.
      let (numerator, denominator) = (Int(factor.num), Int(factor.denom))
      let scaled = PixelSize(
        width: (size.width * numerator + denominator - 1) / denominator,
        height: (size.height * numerator + denominator - 1) / denominator)
      if scaled.width >= target.width, scaled.height >= target.height, scaled.width <= best.width,
        scaled.height <= best.height
      {
        best = scaled
      }
    }
    return best
  }

  private enum Completeness { case complete, incomplete }

  /// Converts TurboJPEG's result to completeness or a ``PictureError``.
  private static func check(
    _ result: Int32, of handle: tjhandle, _ structure: JPEGStructure
  ) throws -> Completeness {
    guard result != 0 else { return .complete }
    let message = String(cString: tjGetErrorStr2(handle))
    guard tjGetErrorCode(handle) == panda_tj_warning else {
      throw PictureError(.damaged, detail: message)
    }
    // Some cameras and editors leave bytes between segments or write odd versions: libjpeg warns,
    // but every pixel is there. It reports only the first warning, so the end of the file must be
    // there too.
    let isHarmless =
      message.contains("extraneous bytes") || message.contains("JFIF")
      || message.contains("Adobe color transform")
    return isHarmless && structure.reachesEnd ? .complete : .incomplete
  }

  /// Converts CMYK to RGBA in place, by its profile or else simply; returns why not by it.
  ///
  /// Adobe's programs, and nearly all others since, store ink inverted: 255 is no ink.
  private static func convertCMYK(
    _ pixels: inout [UInt8], width: Int, from colors: PictureColors, isInverted: Bool
  ) -> String? {
    guard case .profile = colors else {
      convertCMYK(&pixels, isInverted: isInverted)
      return nil
    }
    do throws(ColorTransform.Failure) {
      try ColorTransform.from(colors, .cmyk(isInverted: isInverted)).apply(
        to: &pixels, width: width)
      return nil
    } catch {
      convertCMYK(&pixels, isInverted: isInverted)
      return error.reason
    }
  }

  /// Converts CMYK to RGBA in place without a profile: each color times black.
  private static func convertCMYK(_ pixels: inout [UInt8], isInverted: Bool) {
    pixels.withUnsafeMutableBufferPointer { pixels in
      let flip: UInt8 = isInverted ? 0 : 255
      var offset = 0
      while offset < pixels.count {
        let light = UInt32(pixels[offset &+ 3] ^ flip)
        for channel in offset..<(offset &+ 3) {
          pixels[channel] = UInt8((UInt32(pixels[channel] ^ flip) &* light &+ 127) / 255)
        }
        pixels[offset &+ 3] = 255
        offset &+= 4
      }
    }
  }
}
