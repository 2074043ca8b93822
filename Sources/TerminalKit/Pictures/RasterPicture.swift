internal import SystemSupport
internal import PictureCodecs

/// A picture that is written as one image or a few wherever it is shown; text makes holes in it.
///
/// A partly visible picture is encoded as a picture of its visible part.
final class RasterPicture: PreparedPicture {
  /// An image that the terminal takes as one.
  struct Tile: Sendable {
    /// The bytes that draw it from the cursor on.
    let bytes: [UInt8]
    /// The place of its first cell in the picture.
    let point: CellPoint

    init(_ bytes: [UInt8], at point: CellPoint = CellPoint(column: 0, row: 0)) {
      self.bytes = bytes
      self.point = point
    }
  }

  /// Returns the images that draw a bitmap in a rectangle of cells.
  typealias Encode = @Sendable (Bitmap, CellSize) -> [Tile]

  package let size: CellSize
  let repair: PictureRepair
  private let cell: PixelSize
  private let bitmap: Bitmap
  private let encode: Encode
  private let whole: [Tile]
  /// The most recently drawn part, other than the whole.
  private let lastPart = Lock<(part: CellRect, tiles: [Tile])?>(nil)

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - bitmap: exactly as many pixels as `size` has.
  ///   - whole: what draws all of it, if known.
  ///   - repair: what the terminal needs where text was written over it.
  init(
    size: CellSize, cell: PixelSize, _ bitmap: Bitmap, whole: [Tile]? = nil,
    repair: PictureRepair = .part, encode: @escaping Encode
  ) {
    self.size = size
    self.cell = cell
    self.bitmap = bitmap
    self.repair = repair
    self.encode = encode
    self.whole = whole ?? encode(bitmap, size)
  }

  package func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    for tile in encoded(part) {
      bytes.appendMove(
        to: CellPoint(column: point.column + tile.point.column, row: point.row + tile.point.row))
      bytes += tile.bytes
    }
  }

  package var printed: [UInt8] {
    var bytes: [UInt8] = []
    for tile in whole {
      // From the first cell on, which the cursor was saved at.
      if !bytes.isEmpty { bytes += "\u{1B}8".utf8 }
      if tile.point.row > 0 { bytes += "\u{1B}[\(tile.point.row)B".utf8 }
      if tile.point.column > 0 { bytes += "\u{1B}[\(tile.point.column)C".utf8 }
      bytes += tile.bytes
    }
    return printed(bytes)
  }

  private func encoded(_ part: CellRect) -> [Tile] {
    if part == CellRect(size) { return whole }
    if let last = lastPart.withLock(\.self), last.part == part { return last.tiles }
    let tiles = encode(bitmap.cropped(to: part.pixels(cell: cell)), part.size)
    lastPart.withLock { $0 = (part, tiles) }
    return tiles
  }
}
