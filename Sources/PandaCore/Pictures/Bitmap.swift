/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// The number of pixels in a row.
  public var width: Int

  /// The number of rows.
  public var height: Int

  /// Makes a size; the sides are not checked.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A decoded picture: 8-bit RGBA, straight (not premultiplied) alpha, rows top to bottom without
/// padding.
public struct Bitmap: Hashable, Sendable {
  /// The number of pixels each way.
  ///
  /// A side may be 0; then there are no pixels.
  public let size: PixelSize

  /// Red, green, blue and alpha of each pixel: `size.width * size.height * 4` bytes.
  public internal(set) var pixels: [UInt8]

  /// Makes a picture of these pixels.
  ///
  /// - Precondition: No side is negative, and `pixels.count` is `width * height * 4`.
  public init(size: PixelSize, pixels: [UInt8]) {
    precondition(size.width >= 0 && size.height >= 0, "a side is negative")
    precondition(pixels.count == size.width * size.height * 4, "pixels do not match the size")
    self.size = size
    self.pixels = pixels
  }
}
