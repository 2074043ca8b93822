/// Where the first row and the first column of the stored pixels are when the picture is shown:
/// TIFF's Orientation, which EXIF uses too (TIFF 6.0, section 8; tag 0x0112).
package enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
  /// As stored.
  case topLeft = 1

  /// Mirrored left to right.
  case topRight

  /// Turned by 180 degrees.
  case bottomRight

  /// Mirrored top to bottom.
  case bottomLeft

  /// Mirrored along the diagonal from the top left: rows are columns.
  case leftTop

  /// To be turned by 90 degrees clockwise.
  case rightTop

  /// Mirrored along the diagonal from the top right.
  case rightBottom

  /// To be turned by 90 degrees counterclockwise.
  case leftBottom

  /// Whether rows become columns, so that width and height change places.
  package var swapsSides: Bool {
    rawValue >= Self.leftTop.rawValue
  }

  /// The size as shown of pixels stored with this size, and the other way round.
  package func applied(to size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}

extension Bitmap {
  /// The stored pixels as they are to be shown.
  ///
  /// - Complexity: O(pixels); the result is a second picture unless the orientation is `.topLeft`.
  func oriented(_ orientation: PictureOrientation) -> Bitmap {
    if orientation == .topLeft { return self }
    let shown = orientation.applied(to: size)
    // Where the first shown pixel is stored, and how far it is to the next across and down.
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
