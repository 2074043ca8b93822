internal import CPango

/// Sets text with the fonts of the system, each character with the first one that has it.
///
/// It has a font map of its own, since Pango's default one stays with the thread.
final class TextSetter {
  let library: PangoLibrary
  private let map: OpaquePointer
  fileprivate let context: OpaquePointer

  /// Finds the fonts, which takes some milliseconds.
  ///
  /// - Throws: ``CardError`` if Pango is missing, or if there is no font.
  init() throws(CardError) {
    let library = try PangoLibrary.shared()
    guard let map = library.functions.pango_cairo_font_map_new(),
      let context = library.functions.pango_font_map_create_context(map)
    else { throw CardError(.notDrawn, "no font map") }
    self.library = library
    self.map = map
    self.context = context
    let options = library.functions.cairo_font_options_create()
    library.functions.cairo_font_options_set_antialias(options, panda_cairo_antialias_gray)
    // Glyphs keep their shape: a card has more pixels than a line of text on a screen.
    library.functions.cairo_font_options_set_hint_style(options, panda_cairo_hint_style_none)
    library.functions.cairo_font_options_set_hint_metrics(options, panda_cairo_hint_metrics_off)
    library.functions.pango_cairo_context_set_font_options(context, options)
    library.functions.cairo_font_options_destroy(options)
    let font = library.withDescription(of: TextStyle(size: 20)) {
      library.functions.pango_font_map_load_font(map, context, $0)
    }
    guard let font else { throw CardError(.noFont) }
    library.functions.g_object_unref(UnsafeMutableRawPointer(font))
  }

  deinit {
    library.functions.g_object_unref(UnsafeMutableRawPointer(context))
    library.functions.g_object_unref(UnsafeMutableRawPointer(map))
  }
}

struct TextStyle {
  /// In pixels.
  var size: Double
  /// Whether lines are centered; otherwise they begin where their language does.
  var isCentered = false
}

/// A text that was set: broken into lines, with its size.
final class SetText {
  private let setter: TextSetter
  private let layout: OpaquePointer
  private(set) var width = 0
  private(set) var height = 0

  /// The distance of lines, as a part of their height.
  private static let lineSpacing: Float = 1.12
  /// The factors by which text shrinks until its longest word fits, step by step.
  private static let sizes = [1, 0.9, 0.8, 0.7, 0.6]

  /// Sets a text in lines of at most a width in pixels.
  ///
  /// Lines end between words. Where a word is longer than a line, the text is smaller; only a word
  /// that is still too long is broken.
  ///
  /// - Throws: ``CardError`` if memory runs out.
  init(
    _ text: String, _ style: TextStyle, width: Int, by setter: TextSetter
  ) throws(CardError) {
    let functions = setter.library.functions
    guard let layout = functions.pango_layout_new(setter.context) else {
      throw CardError(.notDrawn, "no layout")
    }
    self.setter = setter
    self.layout = layout
    functions.pango_layout_set_text(layout, text, Int32(text.utf8.count))
    functions.pango_layout_set_width(layout, Int32(width) * panda_pango_scale)
    functions.pango_layout_set_line_spacing(layout, Self.lineSpacing)
    functions.pango_layout_set_alignment(
      layout, style.isCentered ? panda_pango_align_center : panda_pango_align_left)
    for wrap in [panda_pango_wrap_word, panda_pango_wrap_word_char] {
      functions.pango_layout_set_wrap(layout, wrap)
      for factor in Self.sizes {
        set(TextStyle(size: style.size * factor))
        if self.width <= width { return }
      }
    }
  }

  deinit { setter.library.functions.g_object_unref(UnsafeMutableRawPointer(layout)) }

  private func set(_ style: TextStyle) {
    let functions = setter.library.functions
    setter.library.withDescription(of: style) {
      functions.pango_layout_set_font_description(layout, $0)
    }
    var (width, height) = (Int32(0), Int32(0))
    functions.pango_layout_get_pixel_size(layout, &width, &height)
    (self.width, self.height) = (Int(width), Int(height))
  }

  /// Whether no font has some of its characters; boxes stand for them.
  var lacksGlyphs: Bool {
    setter.library.functions.pango_layout_get_unknown_glyphs_count(layout) > 0
  }

  /// Draws it with its upper left corner at the current point.
  func draw(on cairo: OpaquePointer) {
    setter.library.functions.pango_cairo_show_layout(cairo, layout)
  }
}

extension PangoLibrary {
  /// The first of these families that is there.
  private static let families = "Noto Sans, Open Sans, Cantarell, DejaVu Sans, sans-serif"

  /// Calls a function with Pango's description of a font, which is valid until it returns.
  fileprivate func withDescription<Result>(
    of style: TextStyle, _ body: (OpaquePointer?) -> Result
  ) -> Result {
    let description = functions.pango_font_description_new()
    defer { functions.pango_font_description_free(description) }
    functions.pango_font_description_set_family(description, Self.families)
    functions.pango_font_description_set_weight(description, panda_pango_weight_normal)
    functions.pango_font_description_set_absolute_size(
      description, style.size * Double(panda_pango_scale))
    return body(description)
  }
}
