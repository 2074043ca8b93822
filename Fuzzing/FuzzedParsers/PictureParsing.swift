internal import Foundation
@testable internal import PictureCodecs

/// Pictures of every format, with the program's own limits.
enum PictureParsing {
  /// The size of a small thumbnail.
  private static let thumbnail = PixelSize(width: 20, height: 20)
  /// The number of pixels up to which a picture is decoded at full size too.
  ///
  /// Larger ones would leave time for few inputs.
  private static let fullSizeLimit = 1 << 14

  static func parse(_ input: [UInt8]) throws {
    try decode(input)
    // Checksums keep nearly every mutation from reaching the decoder.
    if let repaired = PNGChecksums.repaired(input) { try decode(repaired) }
  }

  static func parseOrientation(_ input: [UInt8]) throws {
    try input.withUnsafeBytes { bytes in
      let orientation = PictureOrientation(exif: bytes, in: 0..<bytes.count)
      let clamped = PictureOrientation(exif: bytes, in: 0..<bytes.count + 64)
      try require(orientation == clamped, "what is past the end of EXIF is ignored")
    }
  }

  private static func decode(_ input: [UInt8]) throws {
    let header: PictureHeader
    do {
      header = try PictureDecoder.header(of: Data(input))
    } catch is PictureError {
      return
    }
    if let stripped = PictureMetadata.stripped(Data(input)) {
      try require(
        PictureMetadata.stripped(stripped) == stripped, "nothing is left to be stripped")
    }
    let isSmall = header.size.width * header.size.height <= fullSizeLimit
    for target in [thumbnail] + (isSmall ? [header.size] : []) {
      do {
        try check(picture(input, covering: target), covering: target)
      } catch is PictureError {
        continue
      }
    }
    if isSmall { try checkFrames(input, header.size) }
  }

  private static func checkFrames(_ input: [UInt8], _ size: PixelSize) throws {
    let limits = PictureLimits(frames: 20, animationTime: .seconds(1))
    let animation = try input.withUnsafeBytes { bytes in
      try PictureDecoder.frames(
        of: bytes, covering: size, atMost: 10, limits: limits,
        deadline: DecodingDeadline(after: limits.animationTime)
      ) { $0 }
    }
    guard let animation else { return }
    try require((2...10).contains(animation.frames.count), "an animation has some frames")
    for frame in animation.frames {
      try require(frame.picture.size == size, "a frame is as large as the picture")
      try require(frame.duration >= .milliseconds(20), "a frame is seen")
    }
  }

  private static func picture(
    _ input: [UInt8], covering target: PixelSize
  ) throws -> DecodedPicture {
    try input.withUnsafeBytes { bytes in
      try PictureDecoder.decode(
        bytes, covering: target, limits: .network,
        deadline: DecodingDeadline(after: PictureLimits.network.decodingTime))
    }
  }

  private static func check(_ picture: DecodedPicture, covering target: PixelSize) throws {
    let (size, whole) = (picture.bitmap.size, picture.originalSize)
    try require(size.width > 0 && size.height > 0, "a picture has pixels")
    try require(
      size.width <= whole.width && size.height <= whole.height,
      "\(whole) is not enlarged to \(size)")
    try require(
      size.width >= min(target.width, whole.width)
        && size.height >= min(target.height, whole.height),
      "\(whole) decoded to \(size) covers \(target)")
    try require(
      size.width < 2 * target.width || size.height < 2 * target.height,
      "\(whole) decoded to \(size) is not twice as large as \(target)")
    _ = picture.bitmap.scaled(to: PixelSize(width: 7, height: 5))
    _ = DominantColors(of: picture.bitmap)
  }
}
