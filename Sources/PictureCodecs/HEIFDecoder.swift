internal import CHEIF
internal import SystemSupport

/// Decodes HEIC and AVIF with libheif, which is loaded for the first of them.
///
/// Of a file with several pictures this is the primary one.
enum HEIFDecoder {
  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result { () throws(LibraryError) in
    try LoadedLibrary<panda_heif>(PANDA_HEIF_LIBRARY, panda_heif_symbols())
  }

  /// The library's name and version; loads it.
  static var version: String {
    guard case .success(let library) = loaded,
      let version = library.functions.get_version().map({ String(cString: $0) })
    else { return "libheif is not installed" }
    return "libheif \(version)"
  }

  /// Reads the displayed size, which the file's own rotation is part of.
  ///
  /// Throws a ``PictureError``.
  ///
  /// - Complexity: O(boxes before the pixels).
  static func size(
    of bytes: UnsafeRawBufferPointer, _ format: PictureFormat
  ) throws -> PixelSize {
    try HEIFFile(bytes, format, functions(for: format)).size
  }

  /// Returns the bytes of memory that decoding takes: the planes and RGBA, at full size.
  static func memory(of bytes: UnsafeRawBufferPointer, _ format: PictureFormat) throws -> Int {
    let file = try HEIFFile(bytes, format, functions(for: format))
    return file.size.width * file.size.height * (file.isDeep ? 10 : 7)
  }

  /// Decodes the smallest whole-number reduction that covers the target.
  ///
  /// libheif decodes in one call, at full size: cancellation is checked before and after it, the
  /// deadline before; ``PictureLimits`` bounds the cost of the call. Colors stay as they are.
  ///
  /// Throws a ``PictureError``, and `CancellationError`.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ format: PictureFormat, covering target: PixelSize,
    limits: PictureLimits, deadline: DecodingDeadline
  ) throws -> (picture: DecodedPicture, colors: PictureColors) {
    let file = try HEIFFile(bytes, format, functions(for: format))
    try limits.check(file.size)
    guard file.size.width * file.size.height <= limits.wholePixels else {
      throw PictureError(.tooCostly(format, file.size))
    }
    try deadline.check()
    let (colors, issue) = file.colors
    let (bitmap, isIncomplete) = try file.decode(covering: target)
    try Task.checkCancellation()
    let picture = DecodedPicture(
      bitmap: bitmap, originalSize: file.size, isIncomplete: isIncomplete, isAsStored: false,
      colorIssue: issue)
    return (picture, colors)
  }

  private static func functions(for format: PictureFormat) throws -> panda_heif {
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
  let size: PixelSize

  init(
    _ bytes: UnsafeRawBufferPointer, _ format: PictureFormat, _ functions: panda_heif
  ) throws {
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
    } catch {
      functions.context_free(context)
      throw error
    }
    self.functions = functions
    self.context = context
    self.handle = handle!
    self.format = format
    size = PixelSize(
      width: Int(functions.image_handle_get_width(handle)),
      height: Int(functions.image_handle_get_height(handle)))
  }

  deinit {
    functions.image_handle_release(handle)
    functions.context_free(context)
  }

  /// Whether a sample has more than 8 bits.
  var isDeep: Bool { functions.image_handle_get_luma_bits_per_pixel(handle) > 8 }

  /// What the file says of its colors; a profile counts more than code points.
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

  /// Decodes the picture; also returns whether some of it is missing.
  func decode(covering target: PixelSize) throws -> (Bitmap, isIncomplete: Bool) {
    let options = functions.decoding_options_alloc()
    defer { functions.decoding_options_free(options) }
    options?.pointee.converts_to_8_bits = 1
    var image: OpaquePointer?
    try Self.check(
      functions.decode_image(handle, &image, panda_heif_rgb, panda_heif_rgba, options), format)
    defer { functions.image_release(image) }
    var stride: Int32 = 0
    let channel = panda_heif_interleaved
    let decoded = PixelSize(
      width: Int(functions.image_get_width(image, channel)),
      height: Int(functions.image_get_height(image, channel)))
    guard let plane = functions.image_get_plane_readonly(image, channel, &stride),
      decoded == size, stride >= size.width * 4
    else { throw PictureError(.damaged, detail: "libheif's picture has another size") }
    let isOpaque = functions.image_handle_has_alpha_channel(handle) == 0
    var reducer = BoxReducer(
      source: size, factor: BoxReducer.factor(from: size, covering: target), isOpaque: isOpaque)
    let isPremultiplied =
      !isOpaque && functions.image_handle_is_premultiplied_alpha(handle) != 0
    var row = [UInt8](repeating: 0, count: isPremultiplied ? size.width * 4 : 0)
    for line in 0..<size.height {
      let stored = plane + line * Int(stride)
      guard isPremultiplied else {
        reducer.add(stored)
        continue
      }
      for offset in Swift.stride(from: 0, to: row.count, by: 4) {
        let alpha = Int(stored[offset + 3])
        for channel in offset..<offset + 3 {
          row[channel] = UInt8(min(255, (Int(stored[channel]) * 255 + alpha / 2) / max(1, alpha)))
        }
        row[offset + 3] = UInt8(alpha)
      }
      reducer.add(row)
    }
    let warnings = functions.image_get_decoding_warnings(image, 0, nil, 0)
    return (reducer.finish(), warnings > 0)
  }

  /// Converts libheif's result to a ``PictureError``.
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
