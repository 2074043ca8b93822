public import FoundationEssentials
internal import Pantry

/// A picture as decoded, perhaps smaller than it is stored.
public struct DecodedPicture: Hashable, Sendable {
  /// The pixels; an orientation is not applied.
  public let bitmap: Bitmap

  /// The size as stored.
  public let originalSize: PixelSize

  /// Whether the bytes ended early or some are damaged: the picture may be shown, but should not
  /// be kept.
  public let isIncomplete: Bool

  /// Makes a decoded picture.
  public init(bitmap: Bitmap, originalSize: PixelSize, isIncomplete: Bool) {
    self.bitmap = bitmap
    self.originalSize = originalSize
    self.isIncomplete = isIncomplete
  }
}

/// Turns the bytes of a picture into pixels, one picture at a time.
///
/// An actor with an executor of its own: decoding occupies neither the main actor nor Swift's
/// cooperative pool. Each pane owns one; a decoder that is stuck can be dropped for a new one.
public actor PictureDecoder {
  private let executor: QueueExecutor
  private let limits: PictureLimits

  /// The decoder's own serial queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a decoder that refuses what is over the limits.
  public init(limits: PictureLimits = .standard) {
    executor = QueueExecutor(label: "panda.pictures")
    self.limits = limits
  }

  /// Reads the header and judges it as ``decode(_:covering:)`` would before decoding.
  ///
  /// Throws a ``PictureError``. Nothing of the picture's size is allocated.
  ///
  /// - Complexity: O(1), but for JPEG: O(number of segments before the frame header).
  public static func header(
    of data: Data, limits: PictureLimits = .standard
  ) throws -> PictureHeader {
    try limits.check(byteCount: data.count)
    return try data.withUnsafeBytes { try header(of: $0, limits) }
  }

  /// Decodes the smallest size whose both sides are at least the target's, or the original where
  /// that is smaller.
  ///
  /// The tighter side of the result is less than twice the target's. Throws a ``PictureError``, and
  /// `CancellationError`: between two rows of a PNG, before and after the decoding of a JPEG.
  ///
  /// Memory: the result; for a progressive JPEG 2 bytes a coefficient, for an interlaced PNG 4
  /// bytes a pixel besides.
  public func decode(_ data: Data, covering target: PixelSize) async throws -> DecodedPicture {
    try Task.checkCancellation()
    try limits.check(byteCount: data.count)
    return try data.withUnsafeBytes { bytes in
      let header = try Self.header(of: bytes, limits)
      return header.format == .png
        ? try PNGDecoder.decode(bytes, covering: target, limits: limits)
        : try JPEGDecoder.decode(bytes, covering: target, limits: limits)
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
