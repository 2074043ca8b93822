internal import CPNG
package import FoundationEssentials

/// Reports that a picture could not be encoded as PNG: it has no pixels, or memory ran out.
struct PNGEncodingError: Error, Hashable, CustomStringConvertible {
  /// The size of the picture that could not be encoded.
  package let size: PixelSize

  package var description: String {
    "The \(size.width)x\(size.height) picture could not be written as PNG."
  }
}

package enum PNGEncoder {
  /// Returns the bytes of a PNG file: RGB if every pixel is opaque, else RGBA.
  ///
  /// The same bitmap produces the same bytes with the same libpng and zlib. Throws
  /// `PNGEncodingError` if the bitmap is empty, larger than libpng allows, or if memory runs out.
  /// - Complexity: O(pixels).
  package static func encode(_ bitmap: Bitmap) throws -> Data {
    let size = bitmap.size
    guard
      size.width > 0, size.height > 0,
      let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height)
    else { throw PNGEncodingError(size: size) }
    var buffer = panda_png_buffer()
    let isOpaque = bitmap.isOpaque
    let result = bitmap.pixels.withUnsafeBufferPointer { pixels in
      panda_png_encode(pixels.baseAddress, width, height, isOpaque ? 1 : 0, &buffer)
    }
    guard result == 0, let bytes = buffer.bytes else { throw PNGEncodingError(size: size) }
    defer { free(bytes) }
    return Data(bytes: bytes, count: buffer.count)
  }
}

extension Bitmap {
  /// Returns the picture as a PNG file: RGB if every pixel is opaque, else RGBA.
  ///
  /// Throws if the picture is empty, larger than libpng allows, or if memory runs out.
  /// - Complexity: O(pixels).
  package func pngData() throws -> Data { try PNGEncoder.encode(self) }
}
