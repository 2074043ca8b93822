/// The limits for accepting a picture, all inclusive.
///
/// A file of 2.6 MB can hold 30,000 x 30,000 pixels, which decode to 3.6 GB: all limits are checked
/// before the picture is allocated.
package struct PictureLimits: Hashable, Sendable {
  /// The file size.
  package var bytes: Int

  /// Width times height.
  package var pixels: Int

  /// The longer side in pixels.
  package var side: Int

  /// The bytes of memory that decoding may take at a small size, by ``DecodingCost``.
  ///
  /// A picture that is decoded as a whole takes 2 to 6 bytes a pixel as a progressive JPEG, 4 as an
  /// interlaced PNG or a lossless WebP, 7 to 29 as a HEIC or AVIF.
  package var memory: Int

  /// Pixels times scans of a progressive JPEG.
  ///
  /// Such pictures have about ten scans; without a limit a few kilobytes could take minutes.
  package var scannedPixels: Int

  /// The maximum decoding time.
  ///
  /// It is checked between rows or pieces. A JPEG is decoded in one step: there the limits above
  /// bound the time.
  package var decodingTime: Duration

  /// Width times height of an animation, of which up to three canvases are in memory.
  package var animatedPixels: Int

  /// The number of frames of an animation; of a longer one some are left out.
  package var frames: Int

  /// The maximum decoding time of all frames of an animation; those decoded until then play.
  package var animationTime: Duration

  /// Whether the thumbnail in a HEIC or AVIF stands for a picture above these limits.
  package var takesThumbnails: Bool

  /// Creates limits; the defaults are those of ``network``.
  package init(
    bytes: Int = 20_000_000,
    pixels: Int = 50_000_000,
    side: Int = 20_000,
    memory: Int = 224_000_000,
    scannedPixels: Int = 1_000_000_000,
    decodingTime: Duration = .seconds(3),
    animatedPixels: Int = 4 << 20,
    frames: Int = 1_000,
    animationTime: Duration = .seconds(10),
    takesThumbnails: Bool = false
  ) {
    self.bytes = bytes
    self.pixels = pixels
    self.side = side
    self.memory = memory
    self.scannedPixels = scannedPixels
    self.decodingTime = decodingTime
    self.animatedPixels = animatedPixels
    self.frames = frames
    self.animationTime = animationTime
    self.takesThumbnails = takesThumbnails
  }

  /// For pictures from the network; see ``PictureDecoder/admit(_:limits:)``.
  ///
  /// 20 MB, 50 megapixels, 20,000 pixels a side, 224 MB of memory, 3 seconds.
  package static let network = PictureLimits()

  /// For files that the user names, and for all that is in the library.
  ///
  /// 512 MB, 200 megapixels, 65,535 pixels a side, 1 GB of memory, one minute. These protect memory
  /// and time rather than the network: a 16-bit PNG of 50 megapixels has up to 400 MB.
  package static let ownFiles = PictureLimits(
    bytes: 512_000_000, pixels: 200_000_000, side: 65_535, memory: 1_000_000_000,
    scannedPixels: 4_000_000_000, decodingTime: .seconds(60), takesThumbnails: true)

  /// Throws a ``PictureError`` of kind `.tooManyBytes` if a file is too large.
  package func check(byteCount: Int) throws {
    guard byteCount <= bytes else {
      throw PictureError(.tooManyBytes(byteCount, limit: bytes))
    }
  }

  /// Throws a ``PictureError`` of kind `.tooManyPixels` if a picture is too large.
  package func check(_ size: PixelSize) throws {
    let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    // The size as RGBA must not overflow either: an injected limit may be Int.max.
    let (_, overflowAsRGBA) = count.multipliedReportingOverflow(by: 4)
    guard !overflow, !overflowAsRGBA, count <= pixels, max(size.width, size.height) <= side else {
      throw PictureError(.tooManyPixels(size, limit: pixels, sideLimit: side))
    }
  }
}
