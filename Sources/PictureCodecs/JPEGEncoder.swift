internal import CTurboJPEG
package import FoundationEssentials

/// Writes pictures as baseline JPEG files.
package enum JPEGEncoder {
  /// Returns the bytes of a JPEG file; transparent parts become black.
  ///
  /// Nil if the bitmap is empty, larger than JPEG allows (65,535 a side), or if memory runs out.
  ///
  /// - Parameters:
  ///   - quality: 1 to 100, on libjpeg's scale.
  ///   - isSharp: whether colors are as sharp as brightness (4:4:4, else 4:2:0).
  /// - Complexity: O(pixels); 0.5 ms for 320x240.
  package static func encode(
    _ bitmap: Bitmap, quality: Int32 = 90, isSharp: Bool = false
  ) -> Data? {
    let size = bitmap.size
    guard (1...65_535).contains(size.width), (1...65_535).contains(size.height),
      let handle = tjInitCompress()
    else { return nil }
    defer { tjDestroy(handle) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let result = onBlack(bitmap).withUnsafeBufferPointer { pixels in
      tjCompress2(
        handle, pixels.baseAddress, Int32(size.width), Int32(size.width * 4), Int32(size.height),
        panda_tj_pixels_rgbx, &bytes, &count,
        isSharp ? panda_tj_sampling_444 : panda_tj_sampling_420, quality, 0)
    }
    guard result == 0, let bytes else { return nil }
    return Data(bytes: bytes, count: Int(count))
  }

  private static func onBlack(_ bitmap: Bitmap) -> [UInt8] {
    var pixels = bitmap.pixels
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] != 255 {
      let alpha = UInt16(pixels[index + 3])
      for channel in index..<index + 3 {
        pixels[channel] = UInt8((UInt16(pixels[channel]) * alpha + 127) / 255)
      }
    }
    return pixels
  }
}

extension Bitmap {
  /// Returns the picture as a JPEG file, or as PNG if it is transparent or too large for that.
  ///
  /// Throws if the picture is empty, larger than libpng allows, or if memory runs out.
  ///
  /// - Parameter quality: of a JPEG, 1 to 100.
  /// - Complexity: O(pixels).
  package func encoded(quality: Int) throws -> (data: Data, format: PictureFormat) {
    if isOpaque, let data = jpegData(quality: quality) { return (data, .jpeg) }
    return (try pngData(), .png)
  }

  /// Returns the picture as a baseline JPEG file (4:2:0); transparent parts become black.
  ///
  /// Nil if the picture is empty, has a side over 65,535, or if memory runs out.
  ///
  /// - Parameter quality: 1 to 100, on libjpeg's scale.
  /// - Complexity: O(pixels).
  package func jpegData(quality: Int = 90) -> Data? {
    JPEGEncoder.encode(self, quality: Int32(clamping: quality))
  }
}
