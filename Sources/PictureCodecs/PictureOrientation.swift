/// The displayed position of the first stored row and column.
///
/// This is TIFF's Orientation, which EXIF also uses (TIFF 6.0, section 8; tag 0x0112).
package enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
  /// As stored.
  case topLeft = 1

  /// Mirrored left to right.
  case topRight

  /// Rotated by 180 degrees.
  case bottomRight

  /// Mirrored top to bottom.
  case bottomLeft

  /// Mirrored along the diagonal from the top left: rows become columns.
  case leftTop

  /// To be rotated by 90 degrees clockwise.
  case rightTop

  /// Mirrored along the diagonal from the top right.
  case rightBottom

  /// To be rotated by 90 degrees counterclockwise.
  case leftBottom

  /// Whether rows become columns, which swaps width and height.
  package var swapsSides: Bool {
    rawValue >= Self.leftTop.rawValue
  }

  /// Converts a stored size to the displayed one, and vice versa.
  package func applied(to size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}

extension Bitmap {
  /// Returns the stored pixels in their displayed orientation.
  ///
  /// - Complexity: O(pixels); the result is a second picture unless the orientation is `.topLeft`.
  func oriented(_ orientation: PictureOrientation) -> Bitmap {
    if orientation == .topLeft { return self }
    let shown = orientation.applied(to: size)
    // The standard library would write to the one empty array that all threads share.
    guard !pixels.isEmpty else { return Bitmap(size: shown, pixels: []) }
    // The offset of the first displayed pixel, and the strides to the next one across and down.
    let (lastColumn, lastRow) = (size.width - 1, (size.height - 1) * size.width)
    let (start, across, down) =
      switch orientation {
      case .topLeft: (0, 1, size.width)
      case .topRight: (lastColumn, -1, size.width)
      case .bottomRight: (lastRow + lastColumn, -1, -size.width)
      case .bottomLeft: (lastRow, 1, -size.width)
      case .leftTop: (0, size.width, 1)
      case .rightTop: (lastRow, -size.width, 1)
      case .rightBottom: (lastRow + lastColumn, -size.width, -1)
      case .leftBottom: (lastColumn, size.width, -1)
      }
    let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { result, count in
      pixels.withUnsafeBytes { stored in
        var into = 0
        for row in 0..<shown.height {
          var from = start + row * down
          for _ in 0..<shown.width {
            let pixel = stored.loadUnaligned(fromByteOffset: from &* 4, as: UInt32.self)
            UnsafeMutableRawBufferPointer(result).storeBytes(
              of: pixel, toByteOffset: into, as: UInt32.self)
            from &+= across
            into &+= 4
          }
        }
      }
      count = pixels.count
    }
    return Bitmap(size: shown, pixels: turned)
  }
}
