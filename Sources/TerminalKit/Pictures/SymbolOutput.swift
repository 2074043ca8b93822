internal import CChafa
package import FoundationEssentials
package import PictureCodecs

/// Shows pictures as symbols.
///
/// ``SymbolChooser`` chooses blocks in direct color. With fewer colors, or in ASCII, libchafa
/// chooses, since it knows palettes and the shapes of letters.
package struct SymbolOutput: PictureOutput {
  package let symbols: PictureMethod.Symbols
  package var colors: SymbolColors

  package init(symbols: PictureMethod.Symbols, colors: SymbolColors = .direct) {
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
    let chafa = ChafaLibrary.functions
    let map = chafa.symbol_map_new()
    defer { chafa.symbol_map_unref(map) }
    chafa.symbol_map_add_by_tags(map, panda_chafa_tag_space)
    switch symbols {
    case .sextants:
      chafa.symbol_map_add_by_tags(map, panda_chafa_tag_block)
      chafa.symbol_map_add_by_tags(map, panda_chafa_tag_sextant)
    case .quadrants: chafa.symbol_map_add_by_tags(map, panda_chafa_tag_block)
    case .halves:
      chafa.symbol_map_add_by_tags(map, panda_chafa_tag_horizontal_half)
      chafa.symbol_map_add_by_tags(map, panda_chafa_tag_vertical_half)
    case .ascii:
      chafa.symbol_map_add_by_tags(map, panda_chafa_tag_ascii)
    }

    let config = chafa.canvas_config_new()
    defer { chafa.canvas_config_unref(config) }
    chafa.canvas_config_set_geometry(config, Int32(size.columns), Int32(size.rows))
    chafa.canvas_config_set_canvas_mode(config, colors.mode)
    chafa.canvas_config_set_pixel_mode(config, panda_chafa_pixels_symbols)
    chafa.canvas_config_set_symbol_map(config, map)
    chafa.canvas_config_set_work_factor(config, 0.5)
    // Few colors need dithering to show shades; never diffusion, which reads out of bounds.
    if colors.isFew { chafa.canvas_config_set_dither_mode(config, panda_chafa_dither_ordered) }
    // Show transparent parts on black, as a picture viewer would. With a threshold of 1 no cell is
    // transparent; 0 would make every cell transparent.
    chafa.canvas_config_set_bg_color(config, 0)
    chafa.canvas_config_set_transparency_threshold(config, 1)

    let canvas = chafa.canvas_new(config)
    defer { chafa.canvas_unref(canvas) }
    bitmap.pixels.withUnsafeBufferPointer { pixels in
      chafa.canvas_draw_all_pixels(
        canvas, panda_chafa_rgba8_unassociated, pixels.baseAddress, Int32(bitmap.size.width),
        Int32(bitmap.size.height), Int32(bitmap.size.width * 4))
    }
    var cells: [SymbolPicture.Cell] = []
    cells.reserveCapacity(size.columns * size.rows)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        var foreground: Int32 = 0
        var background: Int32 = 0
        let symbol = chafa.canvas_get_char_at(canvas, Int32(column), Int32(row))
        // Without colors chafa 1.12 reads out of bounds here (fixed in 1.18.2).
        if colors.mode != panda_chafa_mode_fgbg {
          chafa.canvas_get_raw_colors_at(
            canvas, Int32(column), Int32(row), &foreground, &background)
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

extension SymbolOutput {
  /// The name of libchafa's file, such as libchafa.so.0.8.4, or the reason why there is none.
  ///
  /// The library does not report its version.
  package static var libraryFile: String {
    ChafaLibrary.reasonUnavailable ?? PictureLibraries.loadedFile("libchafa.so") ?? "libchafa"
  }
}

extension SymbolColors {
  fileprivate var mode: Int32 {
    switch self {
    case .direct: panda_chafa_mode_truecolor
    case .palette(let palette) where palette.count >= 256: panda_chafa_mode_indexed_240
    case .palette(let palette) where palette.count >= 16: panda_chafa_mode_indexed_16
    case .palette: panda_chafa_mode_indexed_8
    case .none: panda_chafa_mode_fgbg
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
