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

  private static func number24(_ number: Int) -> [UInt8] {
    [UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(number >> 16 & 255)]
  }
}
