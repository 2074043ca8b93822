internal import CChafa
package import FoundationEssentials
package import PictureCodecs

/// Shows pictures as symbols.
///
/// ``SymbolChooser`` chooses blocks in direct color. With fewer colors, or in ASCII, libchafa
/// chooses, since it knows palettes and the shapes of letters.
package struct SymbolOutput: PictureOutput {
  package let symbols: PicturePath.Symbols
  package var colors: SymbolColors

  package init(symbols: PicturePath.Symbols, colors: SymbolColors = .direct) {
    self.symbols = symbols
    self.colors = colors
  }

  package func pixelsPerCell(_ cell: PixelSize) -> PixelSize { SymbolChooser.cell }

  package func frameLimit(
    of original: PixelSize, filling size: CellSize, cell: PixelSize, memory: Int
  ) -> Int {
    // Only the symbols are kept.
    memory / max(1, size.columns * size.rows * MemoryLayout<SymbolPicture.Cell>.stride)
  }

  /// - Complexity: O(cells); 5 ms for 80x40 in direct color, 15 ms otherwise.
  package func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    if symbols != .ascii, case .direct = colors {
      let exact = bitmap.scaled(filling: size, cell: SymbolChooser.cell)
      return SymbolPicture(size: size, cells: SymbolChooser.cells(of: exact, size: size, symbols))
    }
    return chosenByChafa(bitmap, size)
  }

  private func chosenByChafa(_ bitmap: Bitmap, _ size: CellSize) -> SymbolPicture {
    let map = chafa_symbol_map_new()
    defer { chafa_symbol_map_unref(map) }
    chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_SPACE)
    switch symbols {
    case .sextants:
      chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_BLOCK)
      chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_SEXTANT)
    case .quadrants: chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_BLOCK)
    case .halves:
      chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_HHALF)
      chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_VHALF)
    case .ascii:
      chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_ASCII)
    }

    let config = chafa_canvas_config_new()
    defer { chafa_canvas_config_unref(config) }
    chafa_canvas_config_set_geometry(config, gint(size.columns), gint(size.rows))
    chafa_canvas_config_set_canvas_mode(config, colors.mode)
    chafa_canvas_config_set_pixel_mode(config, CHAFA_PIXEL_MODE_SYMBOLS)
    chafa_canvas_config_set_symbol_map(config, map)
    chafa_canvas_config_set_work_factor(config, 0.5)
    // Few colors need dithering to show shades; never diffusion, which reads out of bounds.
    if colors.isFew { chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_ORDERED) }
    // Show transparent parts on black, as a picture viewer would. With a threshold of 1 no cell is
    // transparent; 0 would make every cell transparent.
    chafa_canvas_config_set_bg_color(config, 0)
    chafa_canvas_config_set_transparency_threshold(config, 1)

    let canvas = chafa_canvas_new(config)
    defer { chafa_canvas_unref(canvas) }
    bitmap.pixels.withUnsafeBufferPointer { pixels in
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels.baseAddress, gint(bitmap.size.width),
        gint(bitmap.size.height), gint(bitmap.size.width * 4))
    }
    var cells: [SymbolPicture.Cell] = []
    cells.reserveCapacity(size.columns * size.rows)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        var foreground: gint = 0
        var background: gint = 0
        let symbol = chafa_canvas_get_char_at(canvas, gint(column), gint(row))
        // Without colors chafa 1.12 reads out of bounds here (fixed in 1.18.2).
        if colors.mode != CHAFA_CANVAS_MODE_FGBG {
          chafa_canvas_get_raw_colors_at(
            canvas, gint(column), gint(row), &foreground, &background)
        }
        cells.append(
          SymbolPicture.Cell(
            symbol: UnicodeScalar(symbol) ?? " ", foreground: UInt32(max(0, foreground)),
            background: UInt32(max(0, background))))
      }
    }
    return SymbolPicture(size: size, cells: cells, colors: colors)
  }
}

extension SymbolColors {
  fileprivate var mode: ChafaCanvasMode {
    switch self {
    case .direct: CHAFA_CANVAS_MODE_TRUECOLOR
    case .palette(let palette) where palette.count >= 256: CHAFA_CANVAS_MODE_INDEXED_240
    case .palette(let palette) where palette.count >= 16: CHAFA_CANVAS_MODE_INDEXED_16
    case .palette: CHAFA_CANVAS_MODE_INDEXED_8
    case .none: CHAFA_CANVAS_MODE_FGBG
    }
  }

  fileprivate var isFew: Bool {
    switch self {
    case .direct: false
    case .palette(let palette): palette.count < 256
    case .none: true
    }
  }
}
