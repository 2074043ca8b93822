internal import CWebP

@testable import PictureCodecs

/// Puts the picture of another WebP into a container.
struct WebPWriter {
  var width = 32
  var height = 32
  /// A still picture, or an animation of one frame at this place.
  var place: (x: Int, y: Int)?
  /// A file whose picture chunks are used, of this size.
  var picture: [UInt8]
  var pictureSize = PixelSize(width: 32, height: 32)
  /// The content of an EXIF chunk.
  var exif: [UInt8] = []

  /// The whole file.
  func bytes() -> [UInt8] {
    let flags: UInt8 = place == nil ? 0 : 2
    var content =
      Self.chunk("VP8X", [flags, 0, 0, 0] + Self.number24(width - 1) + Self.number24(height - 1))
    if let place {
      let fields = [place.x / 2, place.y / 2, pictureSize.width - 1, pictureSize.height - 1, 100]
      content += Self.chunk("ANIM", [9, 9, 9, 255, 0, 0])
      content += Self.chunk("ANMF", fields.flatMap(Self.number24) + [0] + picture.dropFirst(12))
    } else {
      content += picture.dropFirst(12)
    }
    if !exif.isEmpty { content += Self.chunk("EXIF", exif) }
    return Self.file(content)
  }

  /// A frame of an animation: a picture of one color.
  struct Frame {
    var x = 0
    var y = 0
    var width = 32
    var height = 32
    var color: [UInt8]
    var milliseconds = 50
    /// Whether it is cleared before the next frame.
    var isCleared = false
    /// Whether it replaces what it covers rather than blending with it.
    var replaces = false
  }

  /// An animation on a canvas of 32 x 32.
  static func animation(_ frames: [Frame], loopCount: UInt8 = 0) -> [UInt8] {
    let chunks = frames.flatMap { frame in
      let fields = [
        frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, frame.milliseconds,
      ]
      let flags: UInt8 = (frame.isCleared ? 1 : 0) | (frame.replaces ? 2 : 0)
      return chunk(
        "ANMF",
        fields.flatMap(number24) + [flags]
          + lossless(frame.color, frame.width, frame.height).dropFirst(12))
    }
    return file(
      chunk("VP8X", [0x12, 0, 0, 0] + number24(31) + number24(31))
        + chunk("ANIM", [9, 9, 9, 255, loopCount, 0]) + chunks)
  }

  /// A picture of one color with alpha, encoded by libwebp.
  private static func lossless(_ color: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
    lossless(
      Bitmap(
        size: PixelSize(width: width, height: height),
        pixels: (0..<width * height).flatMap { _ in color }))
  }

  /// A file of these chunks.
  static func file(_ chunks: [UInt8]) -> [UInt8] {
    chunk("RIFF", Array("WEBP".utf8) + chunks)
  }

  /// Four letters, a size, the content, and a byte of padding after an odd size.
  static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    Array(kind.utf8) + number24(content.count) + [0] + content
      + (content.count % 2 == 0 ? [] : [0])
  }

  /// A picture of one color, encoded by libwebp.
  static func plain(_ width: Int, _ height: Int, isLossless: Bool = false) -> [UInt8] {
    let pixels = [UInt8](repeating: 200, count: width * height * 3)
    let stride = Int32(width * 3)
    var output: UnsafeMutablePointer<UInt8>?
    let count =
      isLossless
      ? WebPEncodeLosslessRGB(pixels, Int32(width), Int32(height), stride, &output)
      : WebPEncodeRGB(pixels, Int32(width), Int32(height), stride, 10, &output)
    defer { WebPFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  /// A picture without loss, encoded by libwebp.
  static func lossless(_ bitmap: Bitmap) -> [UInt8] {
    let (width, height) = (Int32(bitmap.size.width), Int32(bitmap.size.height))
    var output: UnsafeMutablePointer<UInt8>?
    let count = WebPEncodeLosslessRGBA(bitmap.pixels, width, height, width * 4, &output)
    defer { WebPFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  /// A picture with some loss, encoded by libwebp.
  static func lossy(_ bitmap: Bitmap, quality: Float) -> [UInt8] {
    let (width, height) = (Int32(bitmap.size.width), Int32(bitmap.size.height))
    var output: UnsafeMutablePointer<UInt8>?
    let count = WebPEncodeRGBA(bitmap.pixels, width, height, width * 4, quality, &output)
    defer { WebPFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  private static func number24(_ number: Int) -> [UInt8] {
    [UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(number >> 16 & 255)]
  }
}
