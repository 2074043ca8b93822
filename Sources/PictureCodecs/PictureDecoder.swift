package import FoundationEssentials
internal import Pantry

/// A picture as decoded, perhaps smaller than it is stored.
package struct DecodedPicture: Hashable, Sendable {
  /// The pixels as they are to be shown: the orientation is applied.
  package let bitmap: Bitmap

  /// The size of the whole picture, turned like the pixels.
  package let originalSize: PixelSize

  /// Whether the bytes ended early or some are damaged: the picture may be shown, but should not
  /// be kept.
  package let isIncomplete: Bool

  /// Whether the bytes hold it in another orientation: other programs may show them turned.
  package let isTurned: Bool

  /// Makes a decoded picture.
  package init(
    bitmap: Bitmap, originalSize: PixelSize, isIncomplete: Bool, isTurned: Bool = false
  ) {
    self.bitmap = bitmap
    self.originalSize = originalSize
    self.isIncomplete = isIncomplete
    self.isTurned = isTurned
  }

  /// The picture turned from how it is stored to how it is shown.
  fileprivate func oriented(_ orientation: PictureOrientation) -> DecodedPicture {
    DecodedPicture(
      bitmap: bitmap.oriented(orientation), originalSize: orientation.applied(to: originalSize),
      isIncomplete: isIncomplete, isTurned: orientation != .topLeft)
  }
}

/// Turns the bytes of a picture into pixels, one picture at a time.
///
/// An actor with an executor of its own: decoding occupies neither the main actor nor Swift's
/// cooperative pool. Each pane owns one; a decoder that is stuck can be dropped for a new one.
package actor PictureDecoder {
  private let executor: QueueExecutor
  private let limits: PictureLimits
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The decoder's own serial queue.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a decoder that refuses what is over the limits.
  ///
  /// - Parameters:
  ///   - limits: what is refused.
  ///   - now: the time by which it is judged how long a decoding takes.
  package init(
    limits: PictureLimits = .standard,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    executor = QueueExecutor(label: "panda.pictures")
    self.limits = limits
    self.now = now
  }

  /// Reads the header and judges it as ``decode(_:covering:)`` would before decoding.
  ///
  /// Throws a ``PictureError``. Nothing of the picture's size is allocated.
  ///
  /// - Complexity: O(1), but for JPEG, PNG and WebP: O(segments or chunks).
  package static func header(
    of data: Data, limits: PictureLimits = .standard
  ) throws -> PictureHeader {
    try limits.check(byteCount: data.count)
    return try data.withUnsafeBytes { try header(of: $0, limits) }
  }

  /// Decodes the smallest size whose both sides are at least the target's, or the original where
  /// that is smaller.
  ///
  /// The tighter side of the result is less than twice the target's. Throws a ``PictureError``, of
  /// kind `.tooSlow` when the limits' time is over, and `CancellationError`: both between two rows
  /// of a PNG or GIF, between two pieces of a WebP, before and (but for the time) after the decoding
  /// of a JPEG.
  ///
  /// Memory: the result, twice where it must be turned; for a progressive JPEG 2 bytes a
  /// coefficient, for an interlaced PNG and a lossless WebP 4 bytes a pixel, for an interlaced GIF 1
  /// byte a pixel besides. Of an animation only the first frame is decoded.
  package func decode(_ data: Data, covering target: PixelSize) async throws -> DecodedPicture {
    try Task.checkCancellation()
    try limits.check(byteCount: data.count)
    let deadline = DecodingDeadline(after: limits.decodingTime, now: now)
    return try data.withUnsafeBytes { bytes in
      let header = try Self.header(of: bytes, limits)
      // The decoders know nothing of orientation: target and result are turned here.
      let stored = header.orientation.applied(to: target)
      let picture =
        switch header.format {
        case .jpeg:
          try JPEGDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
        case .png:
          try PNGDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
        case .gif:
          try GIFDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
        case .webp:
          try WebPDecoder.decode(bytes, covering: stored, limits: limits, deadline: deadline)
        default: throw PictureError(.unsupported(header.format))
        }
      return picture.oriented(header.orientation)
    }
  }

  private static func header(
    of bytes: UnsafeRawBufferPointer, _ limits: PictureLimits
  ) throws -> PictureHeader {
    let header = try PictureHeader(reading: bytes)
    try limits.check(header.size)
    guard header.format.isDecodable else { throw PictureError(.unsupported(header.format)) }
    return header
  }
}
