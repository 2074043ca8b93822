package struct PixelSize: Hashable, Sendable {
  package var width: Int

  package var height: Int

  /// Creates a size; the sides are not checked.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A decoded picture as 8-bit RGBA.
///
/// Alpha is straight (not premultiplied); rows run from top to bottom without padding.
package struct Bitmap: Hashable, Sendable {
  /// The number of pixels in each direction.
  ///
  /// A side may be 0; then there are no pixels.
  package let size: PixelSize

  /// Red, green, blue and alpha of each pixel: `size.width * size.height * 4` bytes.
  package internal(set) var pixels: [UInt8]

  /// Creates a picture from pixels.
  ///
  /// - Precondition: No side is negative, and `pixels.count` is `width * height * 4`.
  package init(size: PixelSize, pixels: [UInt8]) {
    precondition(size.width >= 0 && size.height >= 0, "a side is negative")
    precondition(pixels.count == size.width * size.height * 4, "pixels do not match the size")
    self.size = size
    self.pixels = pixels
  }

  /// Whether no pixel lets anything shine through.
  ///
  /// - Complexity: O(pixels).
  package var isOpaque: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      var index = 3
      while index < pixels.count {
        if pixels[index] != 255 { return false }
        index += 4
      }
      return true
    }
  }
}
