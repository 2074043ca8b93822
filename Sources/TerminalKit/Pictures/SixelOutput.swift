internal import CChafa
package import FoundationEssentials
package import PictureCodecs

/// Shows pictures as sixels (DEC STD 070, chapter 9), encoded by libchafa.
///
/// A picture larger than the terminal takes is sent as several images, and as few as possible:
/// xterm keeps only sixteen.
package struct SixelOutput: PictureOutput {
  /// For a multiplexer that keeps the pictures itself, as tmux does from 3.4 on.
  ///
  /// tmux silently drops anything longer than 1 MB, and a picture that text is written over.
  package static let multiplexed = SixelOutput(limit: 1_000_000, repair: .image)

  /// The maximum size of one picture in bytes; a longer one is shown as symbols.
  let limit: Int
  private let repair: PictureRepair
  /// The largest image that the terminal takes; nil for any.
  private let largest: PixelSize?

  /// False: each drawing sends the whole picture.
  package let redrawsCheaply = false
  package let stretches = false

  /// - Parameter largest: the largest image that the terminal takes; nil for any.
  package init(largest: PixelSize? = nil) {
    self.init(limit: .max, repair: .part, largest: largest)
  }

  init(limit: Int, repair: PictureRepair, largest: PixelSize? = nil) {
    self.limit = limit
    self.repair = repair
    self.largest = largest
  }

  package func pixelsPerCell(_ cell: PixelSize) -> PixelSize { cell }

  package func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    let exact = bitmap.scaled(filling: size, cell: cell)
    // A multiplexer that keeps pictures keeps them whole.
    guard repair == .part, limit == .max else {
      let whole = Self.encode(exact)
      guard whole.count <= limit else {
        return SymbolOutput(symbols: .quadrants)
          .prepare(bitmap, encoded: nil, filling: size, cell: cell)
      }
      return RasterPicture(
        size: size, cell: cell, exact, whole: [RasterPicture.Tile(whole)], repair: repair
      ) { part, _ in [RasterPicture.Tile(Self.encode(part))] }
    }
    return RasterPicture(size: size, cell: cell, exact) { [largest] part, cells in
      Self.tiles(part, cells, cell: cell, largest: largest)
    }
  }

  private static func tiles(
    _ bitmap: Bitmap, _ size: CellSize, cell: PixelSize, largest: PixelSize?
  ) -> [RasterPicture.Tile] {
    let columns = min(size.columns, max(1, (largest?.width ?? .max) / max(1, cell.width)))
    guard columns > 0 else { return [] }
    return stride(from: 0, to: size.columns, by: columns).flatMap { column in
      let rect = CellRect(
        column: column, row: 0, columns: min(columns, size.columns - column), rows: size.rows)
      let part = rect.size == size ? bitmap : bitmap.cropped(to: rect.pixels(cell: cell))
      let bytes = encode(part)
      guard let largest, part.size.height > largest.height,
        let image = SixelImage(bytes, size: part.size)
      else {
        return [RasterPicture.Tile(bytes, at: CellPoint(column: column, row: 0))]
      }
      return image.bands(cell: cell.height, greatest: largest.height).map { band in
        RasterPicture.Tile(
          band.bytes, at: CellPoint(column: column, row: band.row / max(1, cell.height)))
      }
    }
  }

  /// Returns `ESC P ... ESC \`, with 256 colors chosen for the picture.
  ///
  /// - Complexity: O(pixels); about 30 ms for 800x600.
  package static func encode(_ bitmap: Bitmap) -> [UInt8] {
    let size = bitmap.size
    // Chafa drops rows that do not fill a band: pad the bitmap and cut the padding off again.
    let full = PixelSize(width: size.width, height: (size.height + band - 1) / band * band)
    var pixels = bitmap.pixels
    let last = pixels.suffix(size.width * 4)
    for _ in size.height..<full.height { pixels += last }

    let chafa = ChafaLibrary.functions
    let config = chafa.canvas_config_new()
    defer { chafa.canvas_config_unref(config) }
    chafa.canvas_config_set_geometry(config, 1, 1)
    chafa.canvas_config_set_cell_geometry(config, Int32(full.width), Int32(full.height))
    chafa.canvas_config_set_canvas_mode(config, panda_chafa_mode_truecolor)
    chafa.canvas_config_set_pixel_mode(config, panda_chafa_pixels_sixels)
    chafa.canvas_config_set_bg_color(config, 0)
    // See SymbolOutput: with a transparent pixel the previous picture would show through.
    chafa.canvas_config_set_transparency_threshold(config, 1)

    let canvas = chafa.canvas_new(config)
    defer { chafa.canvas_unref(canvas) }
    pixels.withUnsafeBufferPointer { pixels in
      chafa.canvas_draw_all_pixels(
        canvas, panda_chafa_rgba8_unassociated, pixels.baseAddress, Int32(full.width),
        Int32(full.height), Int32(full.width * 4))
    }
    let information = chafa.term_db_get_fallback_info(chafa.term_db_get_default())
    defer { chafa.term_info_unref(information) }
    let text = chafa.canvas_print(canvas, information)!
    defer { _ = chafa.string_free(text, 1) }
    let bytes = UnsafeRawBufferPointer(start: text.pointee.bytes, count: text.pointee.count)
    return cut(Array(bytes), from: full, to: size)
  }

  /// The rows of pixels in a band of sixels.
  private static let band = SixelImage.sixel

  /// Removes the padding rows: from the raster attributes (`" 1;1;width;height`) and, bit by bit,
  /// from the sixels of the last band.
  private static func cut(
    _ sixels: [UInt8], from full: PixelSize, to size: PixelSize
  ) -> [UInt8] {
    guard full != size, let end = sixels.lastIndex(of: 0x1B),
      let raster = sixels.firstRange(of: Array(";\(full.width);\(full.height)".utf8))
    else { return sixels }
    var sixels = sixels
    // Each band ends with `-`, including the last.
    let lastBand = sixels[..<(end - 1)].lastIndex(of: UInt8(ascii: "-")) ?? raster.upperBound
    let mask = UInt8(1 << (size.height - full.height + band) - 1)
    for index in lastBand..<end where (63...126).contains(sixels[index]) {
      sixels[index] = (sixels[index] - 63) & mask + 63
    }
    sixels.replaceSubrange(raster, with: ";\(size.width);\(size.height)".utf8)
    return sixels
  }
}
