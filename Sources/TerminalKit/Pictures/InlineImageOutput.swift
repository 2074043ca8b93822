package import FoundationEssentials
package import PictureCodecs

/// Shows pictures as iTerm2's inline images (https://iterm2.com/documentation-images.html).
///
/// For iTerm2, WezTerm, mintty and Visual Studio Code, which decode JPEG and PNG themselves.
package struct InlineImageOutput: PictureOutput {
  /// The maximum size of an original that is sent instead of the scaled picture.
  ///
  /// As a PNG, a picture of 100x30 cells is about that size.
  private static let longestOriginal = 512 * 1024

  /// False: each drawing sends the whole picture.
  package let redrawsCheaply = false
  package let sendsOriginals = true

  package init() {}

  package func pixelsPerCell(_ cell: PixelSize) -> PixelSize { cell }

  package func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    var whole: [RasterPicture.Tile]?
    if let encoded, encoded.count <= Self.longestOriginal, Self.isUnderstood(encoded) {
      whole = [RasterPicture.Tile(Self.sequence(encoded, size))]
    }
    return RasterPicture(
      size: size, cell: cell, bitmap.scaled(filling: size, cell: cell), whole: whole
    ) { bitmap, cells in
      // Encoding fails only for an empty bitmap, and there is nothing to show of it.
      guard let png = try? bitmap.pngData() else { return [] }
      return [RasterPicture.Tile(Self.sequence(png, cells))]
    }
  }

  /// Whether every terminal with this protocol can decode the bytes.
  private static func isUnderstood(_ data: Data) -> Bool {
    let format = data.withUnsafeBytes { PictureFormat(sniffing: $0) }
    return format == .jpeg || format == .png
  }

  /// Returns `ESC ] 1337 ; File = ... : base64 BEL`.
  ///
  /// The picture is stretched to the cells. Only WezTerm knows `doNotMoveCursor`; the others may
  /// move the cursor, which is restored after the frame.
  private static func sequence(_ data: Data, _ cells: CellSize) -> [UInt8] {
    var bytes = Array(
      ("\u{1B}]1337;File=inline=1;size=\(data.count);width=\(cells.columns);height=\(cells.rows);"
        + "preserveAspectRatio=0;doNotMoveCursor=1:").utf8)
    bytes += data.base64EncodedData()
    bytes.append(0x07)
    return bytes
  }
}
