package import FoundationEssentials
internal import SystemSupport

/// A decoded picture, possibly smaller than stored.
package struct DecodedPicture: Hashable, Sendable {
  /// The pixels for display: upright, and in sRGB.
  package private(set) var bitmap: Bitmap

  /// The size of the whole picture, with the orientation applied.
  package private(set) var originalSize: PixelSize

  /// Whether the bytes ended early or some are damaged: show the picture, but do not keep it.
  package let isIncomplete: Bool

  /// Whether a program that ignores orientations and color profiles shows the same.
  package private(set) var isAsStored: Bool

  /// The reason why its colors may not be true, for a log; nil if they are.
  package private(set) var colorIssue: String?

  /// Whether it is the thumbnail in its file, since the picture is too large to decode.
  package private(set) var isThumbnail: Bool

  package init(
    bitmap: Bitmap, originalSize: PixelSize, isIncomplete: Bool, isAsStored: Bool = true,
    colorIssue: String? = nil, isThumbnail: Bool = false
  ) {
    self.bitmap = bitmap
    self.originalSize = originalSize
    self.isIncomplete = isIncomplete
    self.isAsStored = isAsStored
    self.colorIssue = colorIssue
    self.isThumbnail = isThumbnail
  }

  /// Turns the picture from its stored to its displayed orientation.
  fileprivate mutating func turn(_ orientation: PictureOrientation) {
    guard orientation != .topLeft else { return }
    bitmap = bitmap.oriented(orientation)
    originalSize = orientation.applied(to: originalSize)
    isAsStored = false
  }

  /// Converts the picture to sRGB, in place, or leaves it as it is with the reason.
  fileprivate mutating func convert(from colors: PictureColors, issue: String?) {
    colorIssue = issue ?? colorIssue
    isAsStored = isAsStored && colors == .sRGB
    do throws(ColorTransform.Failure) {
      try bitmap.convert(from: colors)
    } catch {
      colorIssue = error.reason
    }
  }
}

/// Decodes the bytes of a picture into pixels, one picture at a time.
///
/// An actor with its own executor: decoding blocks neither the main actor nor Swift's cooperative
/// pool. Each pane owns one; a stuck decoder can be replaced by a new one.
package actor PictureDecoder {
  private let executor: QueueExecutor
  let limits: PictureLimits
  let budget: DecodingBudget
  let now: @Sendable () -> ContinuousClock.Instant

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a decoder that rejects pictures over the limits.
  ///
  /// - Parameters:
  ///   - limits: the limits.
  ///   - budget: what it shares with other decoders.
  ///   - now: the clock that measures how long decoding takes.
  package init(
    limits: PictureLimits = .ownFiles, budget: DecodingBudget = .shared,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    executor = QueueExecutor(label: "panda.pictures")
    self.limits = limits
    self.budget = budget
    self.now = now
  }

  /// Reads and validates the header as ``decode(_:covering:)`` would before decoding.
  ///
  /// Throws a ``PictureError``. Allocates nothing proportional to the picture's size.
  ///
  /// - Complexity: O(1), except for JPEG, PNG, WebP and HEIF: O(segments or chunks).
  package static func header(
    of data: Data, limits: PictureLimits = .ownFiles
  ) throws -> PictureHeader {
    try limits.check(byteCount: data.count)
    return try data.withUnsafeBytes { try header(of: $0, limits) }
  }

  /// Reads the header of a picture from the network, whose cost is limited as well as its size.
  ///
  /// Call it once, when the picture arrives: later it is as good as a file of the user's.
  ///
  /// - Complexity: O(n) for JPEG, at the speed of `memchr`; else as ``header(of:limits:)``.
  package static func admit(
    _ data: Data, limits: PictureLimits = .network
  ) throws -> PictureHeader {
    let header = try header(of: data, limits: limits)
    try data.withUnsafeBytes { bytes in
      if header.format == .jpeg { try JPEGDecoder.check(JPEGStructure(of: bytes), limits) }
      try DecodingCost.check(bytes, header, limits)
    }
    return header
  }

  /// Returns the header of a picture that has arrived, once it has been decoded at a small size.
  ///
  /// What cannot be decoded is refused here, before anything shows or remembers it. Throws a
  /// ``PictureError``, and `CancellationError`.
  ///
  /// - Parameter known: the header, if it has been admitted.
  package static func tried(
    _ data: Data, admittedAs known: PictureHeader? = nil, limits: PictureLimits = .network
  ) async throws -> PictureHeader {
    let header = try known ?? admit(data, limits: limits)
    _ = try await PictureDecoder(limits: limits).decode(
      data, covering: PixelSize(width: 96, height: 96))
    return header
  }

  /// Decodes the smallest size that covers the target, or the original if that is smaller.
  ///
  /// The tighter side of the result is less than twice the target's. Throws a ``PictureError``, of
  /// kind `.tooSlow` if the time limit is exceeded, and `CancellationError`. Both are checked
  /// between two rows of a PNG or GIF, between two pieces of a WebP, and before decoding a JPEG;
  /// after decoding a JPEG only cancellation is.
  ///
  /// Memory: ``DecodingCost``.
  ///
  /// It waits for its share of ``DecodingBudget``.
  ///
  /// Of an animation this is the first frame; see ``frames(of:covering:atMost:prepare:)``.
  package func decode(_ data: Data, covering target: PixelSize) async throws -> DecodedPicture {
    try Task.checkCancellation()
    try limits.check(byteCount: data.count)
    let cost = try data.withUnsafeBytes { bytes in
      try DecodingCost(of: bytes, Self.header(of: bytes, limits), covering: target)
    }
    try await budget.begin(cost.bytes)
    defer { budget.end(cost.bytes) }
    let deadline = DecodingDeadline(after: limits.decodingTime, now: now)
    return try data.withUnsafeBytes {
      try Self.decode($0, covering: target, limits: limits, deadline: deadline)
    }
  }

  /// Decodes on the calling thread; see ``decode(_:covering:)``.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, covering target: PixelSize, limits: PictureLimits,
    deadline: DecodingDeadline
  ) throws -> DecodedPicture {
    let header = try header(of: bytes, limits)
    try DecodingCost.check(bytes, header, limits)
    // The decoders ignore orientation: target and result are turned here.
    let stored = header.orientation.applied(to: target)
    var (colors, issue) = PictureColors.read(bytes, header.format)
    var picture =
      switch header.format {
      case .jpeg:
        try JPEGDecoder.decode(
          bytes, colors, covering: stored, limits: limits, deadline: deadline)
      case .png:
        try PNGDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
      case .gif:
        try GIFDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
      case .webp:
        try WebPDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
      case .heic, .avif:
        try { () throws -> DecodedPicture in
          let (picture, stored) = try HEIFDecoder.decode(
            bytes, header, covering: target, deadline: deadline)
          (colors, issue) = (stored, picture.colorIssue)
          return picture
        }()
      default: throw PictureError(.unsupported(header.format))
      }
    let isInk = if case .profile(let profile) = colors { profile.pixels == .cmyk } else { false }
    picture.convert(from: isInk ? .sRGB : colors, issue: issue)
    picture.turn(header.orientation)
    return picture
  }

  static func header(
    of bytes: UnsafeRawBufferPointer, _ limits: PictureLimits
  ) throws -> PictureHeader {
    var header = try PictureHeader(reading: bytes)
    if limits.takesThumbnails, !fits(bytes, header, limits),
      let small = try header.thumbnails(in: bytes).first(where: { fits(bytes, $0, limits) })
    {
      header = small
    }
    try limits.check(header.size)
    try limits.check(header.decodedSize)
    guard header.format.isDecodable else { throw PictureError(.unsupported(header.format)) }
    if [.heic, .avif].contains(header.format) { try HEIFDecoder.functions(for: header.format) }
    return header
  }

  /// Returns whether a HEIC or AVIF, or a thumbnail in it, is within limits.
  private static func fits(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader, _ limits: PictureLimits
  ) -> Bool {
    guard [.heic, .avif].contains(header.format) else { return true }
    do {
      try limits.check(header.size)
      try limits.check(header.decodedSize)
      try DecodingCost.check(bytes, header, limits)
      return true
    } catch {
      return false
    }
  }
}
