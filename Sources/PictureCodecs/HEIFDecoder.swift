internal import CHEIF
internal import SystemSupport

/// Decodes HEIC and AVIF with libheif, which is loaded for the first of them.
///
/// Of a file with several pictures this is the primary one, or its thumbnail. The size and cost are
/// read without the library, by ``HEIFPlan``: libheif checks no limits before its codecs have
/// allocated a picture.
enum HEIFDecoder {
  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result { () throws(LibraryError) in
    try LoadedLibrary<panda_heif>(PANDA_HEIF_LIBRARY, panda_heif_symbols())
  }

  /// The library's name and version; loads it.
  static var version: String {
    guard case .success(let library) = loaded,
      let version = library.functions.get_version().map({ String(cString: $0) })
    else { return "libheif.so.1 is not installed" }
    return "libheif \(version)"
  }

  /// Decodes the smallest whole-number reduction that covers the target.
  ///
  /// libheif decodes in one call, at full size: cancellation is checked before and after it, the
  /// deadline before; ``PictureLimits`` bounds the cost of the call. Colors stay as they are.
  ///
  /// Throws a ``PictureError``, and `CancellationError`.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader, covering target: PixelSize,
    deadline: DecodingDeadline
  ) throws -> (picture: DecodedPicture, colors: PictureColors) {
    let structure = try HEIFStructure(bytes, header.format)
    let plan = try HEIFPlan(structure, item: header.thumbnail)
    let functions = try functions(for: header.format)
    let encodings = structure.items.values.compactMap(\.encoding)
    guard !encodings.isEmpty else {
      return try decode(bytes, plan, header, functions, covering: target, deadline)
    }
    // libheif inflates texts as it opens a file, to any size. Nothing here reads them.
    var plain = Array(bytes)
    for offset in encodings { plain[offset] = 0 }
    return try plain.withUnsafeBytes {
      try decode($0, plan, header, functions, covering: target, deadline)
    }
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ plan: HEIFPlan, _ header: PictureHeader,
    _ functions: panda_heif, covering target: PixelSize, _ deadline: DecodingDeadline
  ) throws -> (picture: DecodedPicture, colors: PictureColors) {
    let file = try HEIFFile(bytes, header, functions)
    guard plan.alphaFits || !file.hasAlpha else {
      throw PictureError(.unsupported(header.format), detail: "its transparency has another size")
    }
    try deadline.check()
    let (colors, issue) = file.colors
    let (bitmap, size, isIncomplete) = try file.decode(
      covering: target, isNarrowGray: plan.isNarrowGray)
    try Task.checkCancellation()
    let picture = DecodedPicture(
      bitmap: bitmap, originalSize: size, isIncomplete: isIncomplete, isAsStored: false,
      colorIssue: issue, isThumbnail: header.thumbnail != nil)
    return (picture, colors)
  }

  /// Returns the library's functions, or throws the ``PictureError`` that names its package.
  @discardableResult
  static func functions(for format: PictureFormat) throws -> panda_heif {
    switch loaded {
    case .success(let library): return library.functions
    case .failure(let error):
      throw PictureError(.needsLibrary(format, package: "libheif1"), detail: error.reason)
    }
  }
}

/// An open file: the only code that calls libheif.
///
/// It borrows the bytes, which must outlive it.
private struct HEIFFile: ~Copyable {
  private let functions: panda_heif
  private let context: OpaquePointer
  private let handle: OpaquePointer
  private let format: PictureFormat

  init(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader, _ functions: panda_heif
  ) throws {
    let format = header.format
    guard let context = functions.context_alloc() else {
      throw PictureError(.damaged, detail: "libheif has no memory")
    }
    functions.context_set_maximum_image_size_limit(context, 65_535)
    var handle: OpaquePointer?
    do {
      try Self.check(
        functions.context_read_from_memory_without_copy(
          context, bytes.baseAddress, bytes.count, nil), format)
      try Self.check(functions.context_get_primary_image_handle(context, &handle), format)
      if let number = header.thumbnail {
        let picture = handle
        defer { functions.image_handle_release(picture) }
        handle = nil
        try Self.check(
          functions.image_handle_get_thumbnail(picture, UInt32(number), &handle), format)
      }
    } catch {
      functions.context_free(context)
      throw error
    }
    self.functions = functions
    self.context = context
    self.handle = handle!
    self.format = format
  }

  deinit {
    functions.image_handle_release(handle)
    functions.context_free(context)
  }

  var hasAlpha: Bool { functions.image_handle_has_alpha_channel(handle) != 0 }

  /// The file's color information; a profile takes precedence over code points.
  var colors: (PictureColors, issue: String?) {
    let count = functions.image_handle_get_raw_color_profile_size(handle)
    if (1...ICCProfile.byteLimit).contains(count) {
      var profile = [UInt8](repeating: 0, count: count)
      guard functions.image_handle_get_raw_color_profile(handle, &profile).code == 0 else {
        return (.sRGB, "its color profile is ignored: libheif cannot read it")
      }
      return PictureColors.reporting { () throws(PictureColors.ProfileIssue) in
        try PictureColors.judged(profile)
      }
    }
    var points: UnsafeMutablePointer<panda_heif_colors>?
    guard functions.image_handle_get_nclx_color_profile(handle, &points).code == 0, let points
    else { return (.sRGB, nil) }
    defer { functions.nclx_color_profile_free(points) }
    let space = RGBColorSpace(
      primaries: Int(points.pointee.primaries), transfer: Int(points.pointee.transfer))
    guard let space, !space.isSRGB else { return (.sRGB, nil) }
    // Encoders of pictures name BT.709's curve and mean that of sRGB, as browsers do.
    if space.transfer == .rec709, points.pointee.primaries == 1 { return (.sRGB, nil) }
    return (.space(space), nil)
  }

  /// Decodes the picture; also returns its whole size, and whether some of it is missing.
  ///
  /// - Parameter isNarrowGray: whether black is 16 and white 235, which libheif leaves as they are.
  func decode(
    covering target: PixelSize, isNarrowGray: Bool
  ) throws -> (Bitmap, PixelSize, isIncomplete: Bool) {
    let options = functions.decoding_options_alloc()
    defer { functions.decoding_options_free(options) }
    options?.pointee.converts_to_8_bits = 1
    var image: OpaquePointer?
    try Self.check(
      functions.decode_image(handle, &image, panda_heif_rgb, panda_heif_rgba, options), format)
    defer { functions.image_release(image) }
    var stride: Int32 = 0
    let channel = panda_heif_interleaved
    let size = PixelSize(
      width: Int(functions.image_get_width(image, channel)),
      height: Int(functions.image_get_height(image, channel)))
    guard let plane = functions.image_get_plane_readonly(image, channel, &stride),
      size.width > 0, size.height > 0, Int(stride) >= size.width * 4
    else { throw PictureError(.damaged, detail: "libheif's picture has no pixels") }
    let isOpaque = !hasAlpha
    var reducer = BoxReducer(
      source: size, factor: BoxReducer.factor(from: size, covering: target), isOpaque: isOpaque)
    let isPremultiplied =
      !isOpaque && functions.image_handle_is_premultiplied_alpha(handle) != 0
    let levels = isNarrowGray ? Self.wideLevels : (0...255).map { UInt8($0) }
    var row = [UInt8](repeating: 0, count: isPremultiplied || isNarrowGray ? size.width * 4 : 0)
    for line in 0..<size.height {
      let stored = plane + line * Int(stride)
      guard !row.isEmpty else {
        reducer.add(stored)
        continue
      }
      for offset in Swift.stride(from: 0, to: row.count, by: 4) {
        let alpha = isPremultiplied ? Int(stored[offset + 3]) : 255
        for channel in offset..<offset + 3 {
          let level = Int(levels[Int(stored[channel])])
          row[channel] = UInt8(min(255, (level * 255 + alpha / 2) / max(1, alpha)))
        }
        row[offset + 3] = stored[offset + 3]
      }
      reducer.add(row)
    }
    let warnings = functions.image_get_decoding_warnings(image, 0, nil, 0)
    return (reducer.finish(), size, warnings > 0)
  }

  /// The level of the full range for each one of the limited range.
  private static let wideLevels: [UInt8] = (0..<256).map { level in
    let wide: Int = ((level - 16) * 255 + 109) / 219
    return UInt8(min(max(0, wide), 255))
  }

  private static func check(_ result: panda_heif_error, _ format: PictureFormat) throws {
    guard result.code != 0 else { return }
    let message = result.message.map { String(cString: $0) }
    if result.subcode == panda_heif_end_of_data { throw PictureError(.incomplete, detail: message) }
    if result.subcode == panda_heif_no_codec {
      let package = format == .avif ? "libheif-plugin-dav1d" : "libheif-plugin-libde265"
      throw PictureError(.needsLibrary(format, package: package), detail: message)
    }
    let isUnsupported =
      result.code == panda_heif_unsupported_filetype
      || result.code == panda_heif_unsupported_feature
    throw PictureError(isUnsupported ? .unsupported(format) : .damaged, detail: message)
  }
}
