/// The chunks of a WebP file that matter before decoding.
///
/// These are the canvas, the first frame, the color profile and EXIF (RFC 9649, section 2).
/// libwebpdemux would list every frame of an animation, of which a file of 20 MB can have a
/// million; this keeps only the first.
struct WebPStructure: Hashable, Sendable {
  struct Frame: Hashable, Sendable {
    package var rect: PixelRect
    /// The range in the file: from the alpha chunk, if there is one, to the end of the picture's
    /// chunk.
    ///
    /// In a truncated file it ends with the file.
    package var bytes: Range<Int>
    package var isWhole: Bool
  }

  /// The size of the canvas; nil if the bytes end before it.
  package private(set) var canvas: PixelSize?

  /// The picture, or the first one of an animation; nil if the bytes end before it.
  package private(set) var frame: Frame?

  /// The orientation from EXIF; `.topLeft` if there is none.
  package private(set) var orientation = PictureOrientation.topLeft

  /// The range of the color profile; nil if there is none, or not all of it.
  package private(set) var profile: Range<Int>?

  /// Whether the file is as long as its header says.
  package private(set) var isWhole = false

  /// Reads the chunks of the file.
  ///
  /// Throws a ``PictureError`` of kind `.damaged` if they contradict the format.
  ///
  /// - Complexity: O(chunks); the pixels are not read.
  init(of bytes: UnsafeRawBufferPointer) throws {
    guard let riffSize = bytes.littleEndian32(at: 4), bytes.count >= 12 else { return }
    isWhole = 8 + riffSize <= bytes.count
    var offset = 12
    var hasOrientation = false
    let end = min(bytes.count, 8 + riffSize)
    while let chunk = WebPChunk(at: offset, of: bytes, before: end) {
      if canvas == nil {
        guard let size = try Self.canvas(in: chunk, of: bytes) else { return }
        canvas = size
      }
      switch chunk.kind {
      case WebPChunk.alpha, WebPChunk.lossy, WebPChunk.lossless:
        if frame == nil {
          frame = Self.frame(
            in: offset..<end, of: bytes, rect: PixelRect(x: 0, y: 0, size: canvas!))
        }
      case WebPChunk.animationFrame:
        if frame == nil, let canvas {
          frame = try Self.animationFrame(chunk, on: canvas, of: bytes)
        }
      case WebPChunk.exif where !hasOrientation:
        hasOrientation = true
        orientation = PictureOrientation(exif: bytes, in: chunk.content) ?? .topLeft
      case WebPChunk.profile where profile == nil && chunk.isWhole:
        profile = chunk.content
      default:
        break
      }
      offset = chunk.end
    }
  }

  /// Reads the size from the first chunk; nil if the bytes end before it.
  private static func canvas(
    in chunk: WebPChunk, of bytes: UnsafeRawBufferPointer
  ) throws -> PixelSize? {
    let start = chunk.content.lowerBound
    switch chunk.kind {
    case WebPChunk.extended:
      // Flags and reserved bytes, then 24 bits of each side - 1.
      guard let width = bytes.littleEndian24(at: start + 4),
        let height = bytes.littleEndian24(at: start + 7)
      else { return nil }
      return PixelSize(width: width + 1, height: height + 1)
    case WebPChunk.lossless:
      // A signature byte, then 14 bits of width - 1 and 14 of height - 1.
      guard let bits = bytes.littleEndian32(at: start + 1) else { return nil }
      return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    case WebPChunk.lossy:
      // A frame tag of 3 bytes, a start code of 3, then 14 bits of each side.
      guard let width = bytes.littleEndian16(at: start + 6),
        let height = bytes.littleEndian16(at: start + 8)
      else { return nil }
      return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
    default:
      throw PictureError(.damaged, detail: "no VP8 chunk comes first")
    }
  }

  /// Reads an ANMF chunk.
  ///
  /// It has 24 bits each of x / 2, y / 2, width - 1, height - 1 and duration, 8 of flags, and
  /// chunks like those of a still picture.
  static func animationFrame(
    _ chunk: WebPChunk, on canvas: PixelSize, of bytes: UnsafeRawBufferPointer
  ) throws -> Frame? {
    let start = chunk.content.lowerBound
    guard chunk.content.count >= 16, let x = bytes.littleEndian24(at: start),
      let y = bytes.littleEndian24(at: start + 3), let width = bytes.littleEndian24(at: start + 6),
      let height = bytes.littleEndian24(at: start + 9)
    else { return nil }
    let rect = PixelRect(
      x: x * 2, y: y * 2, size: PixelSize(width: width + 1, height: height + 1))
    guard rect.x + rect.size.width <= canvas.width, rect.y + rect.size.height <= canvas.height
    else { throw PictureError(.damaged, detail: "a frame reaches past the canvas") }
    return Self.frame(in: (start + 16)..<chunk.content.upperBound, of: bytes, rect: rect)
  }

  /// Returns the alpha and picture chunks within a range; nil if there is no picture.
  private static func frame(
    in range: Range<Int>, of bytes: UnsafeRawBufferPointer, rect: PixelRect
  ) -> Frame? {
    var offset = range.lowerBound
    var alpha: Int?
    while let chunk = WebPChunk(at: offset, of: bytes, before: range.upperBound) {
      switch chunk.kind {
      case WebPChunk.alpha where alpha == nil:
        alpha = offset
      case WebPChunk.lossy, WebPChunk.lossless:
        return Frame(
          rect: rect, bytes: (alpha ?? offset)..<chunk.content.upperBound, isWhole: chunk.isWhole)
      default:
        break
      }
      offset = chunk.end
    }
    return nil
  }
}
