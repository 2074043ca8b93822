package import FoundationEssentials

/// A picture as 32 x 32 gray cells, enough to recognize a part of it.
///
/// Unlike a ``PerceptualHash`` it can be cut and compared anew: see ``CropFinder``.
package struct PictureShape: Hashable, Sendable {
  /// The number of cells in a row, and of rows.
  static let side = 32

  /// A smaller difference between the darkest and the lightest cell, of 255, is noise.
  private static let leastRange: Float = 4

  /// The size at which a picture is decoded, a multiple of that of the shape.
  private static let decodedSize = PixelSize(width: 128, height: 128)

  /// The cells from 0, the darkest, to 15, the lightest: row by row, two to a byte, 512 bytes.
  package let cells: Data

  /// Wraps known cells; nil if they are not 512 bytes.
  package init?(cells: Data) {
    guard cells.count == Self.side * Self.side / 2 else { return nil }
    self.cells = cells
  }

  /// Reduces a picture to its shape.
  package init(of bitmap: Bitmap) {
    let side = Self.side
    let grays = bitmap.scaled(to: PixelSize(width: side, height: side)).grays
    let darkest = grays.min() ?? 0
    let range = (grays.max() ?? 0) - darkest
    let levels = grays.map { gray in
      range < Self.leastRange ? 0 : UInt8((gray - darkest) / range * 15 + 0.5)
    }
    cells = Data(stride(from: 0, to: levels.count, by: 2).map { levels[$0] << 4 | levels[$0 + 1] })
  }

  /// Computes the shape of a picture file, off the caller's actor.
  ///
  /// - Throws: what ``PictureDecoder/decode(_:covering:)`` throws.
  package init(of data: Data, decoder: PictureDecoder) async throws {
    self.init(of: try await decoder.decode(data, covering: Self.decodedSize).bitmap)
  }

  /// The level of each cell, row by row.
  var levels: [Float] {
    var levels: [Float] = []
    levels.reserveCapacity(Self.side * Self.side)
    for pair in cells {
      levels.append(Float(pair >> 4))
      levels.append(Float(pair & 15))
    }
    return levels
  }
}

extension Bitmap {
  /// The luma of each pixel from 0 to 255; a transparent one is black.
  var grays: [Float] {
    (0..<size.width * size.height).map { pixel in
      let color = pixels[(pixel * 4)..<(pixel * 4 + 4)].map(Float.init)
      return (0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]) * color[3] / 255
    }
  }
}
