internal import CPango
internal import PictureCodecs

/// A color with 0 to 1 for each of its parts.
struct CardInk {
  let red: Double
  let green: Double
  let blue: Double
  var alpha = 1.0

  private init(_ code: UInt32, alpha: Double = 1) {
    red = Double(code >> 16 & 0xFF) / 255
    green = Double(code >> 8 & 0xFF) / 255
    blue = Double(code & 0xFF) / 255
    self.alpha = alpha
  }

  static let paper = CardInk(0xF7F3EC)
  static let text = CardInk(0x2B211B)
  static let credit = CardInk(0x6E6157)
  /// The edge of a picture, so that a pale one does not run into the paper.
  static let edge = CardInk(0x2B211B, alpha: 0.1)
}

/// Pixels on which Cairo draws.
final class CardCanvas {
  private let size: PixelSize
  private let library: PangoLibrary
  /// Blue, green, red and alpha of each pixel, premultiplied: Cairo's order on a little-endian
  /// machine, which all are that Swift runs on.
  private var pixels: [UInt8]

  /// Creates a canvas of paper.
  init(size: PixelSize, library: PangoLibrary) {
    self.size = size
    self.library = library
    let paper = [CardInk.paper.blue, CardInk.paper.green, CardInk.paper.red, 1]
      .map { UInt8(($0 * 255).rounded()) }
    pixels = [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { buffer, count in
      count = buffer.count
      for index in buffer.indices { buffer[index] = paper[index & 3] }
    }
  }

  var bitmap: Bitmap {
    var straight = pixels
    for index in stride(from: 0, to: straight.count, by: 4) { straight.swapAt(index, index + 2) }
    return Bitmap(size: size, pixels: straight)
  }

  /// Draws a picture at a size, with round corners.
  func draw(
    _ picture: Bitmap, size shown: PixelSize, radius: Double, x: Int, y: Int
  ) throws(CardError) {
    var source = Self.premultiplied(picture)
    let functions = library.functions
    try Self.withSurface(of: &source, picture.size, library) { surface throws(CardError) in
      try drawing { cairo throws(CardError) in
        functions.cairo_save(cairo)
        trace(shown, radius: radius, x: Double(x), y: Double(y), on: cairo)
        let across = Double(shown.width) / Double(picture.size.width)
        let down = Double(shown.height) / Double(picture.size.height)
        functions.cairo_scale(cairo, across, down)
        functions.cairo_set_source_surface(cairo, surface, Double(x) / across, Double(y) / down)
        functions.cairo_pattern_set_extend(
          functions.cairo_get_source(cairo), panda_cairo_extend_pad)
        functions.cairo_fill(cairo)
        functions.cairo_restore(cairo)
        trace(shown, radius: radius, x: Double(x), y: Double(y), on: cairo)
        use(.edge, on: cairo)
        functions.cairo_set_line_width(cairo, 1)
        functions.cairo_stroke(cairo)
      }
    }
  }

  /// Draws a text with its upper left corner at a point.
  func draw(_ text: SetText, ink: CardInk, x: Int, y: Int) throws(CardError) {
    let functions = library.functions
    try drawing { cairo throws(CardError) in
      use(ink, on: cairo)
      functions.cairo_move_to(cairo, Double(x), Double(y))
      text.draw(on: cairo)
    }
  }

  // MARK: Cairo

  private func use(_ ink: CardInk, on cairo: OpaquePointer) {
    library.functions.cairo_set_source_rgba(cairo, ink.red, ink.green, ink.blue, ink.alpha)
  }

  /// Makes a rectangle with round corners the path.
  private func trace(
    _ size: PixelSize, radius: Double, x: Double, y: Double, on cairo: OpaquePointer
  ) {
    let functions = library.functions
    let (width, height) = (Double(size.width), Double(size.height))
    let radius = min(radius, width / 2, height / 2)
    functions.cairo_new_path(cairo)
    for (corner, (right, lower)) in [(1.0, 0.0), (1, 1), (0, 1), (0, 0)].enumerated() {
      let start = Double(corner - 1) * .pi / 2
      functions.cairo_arc(
        cairo, x + (right == 1 ? width - radius : radius),
        y + (lower == 1 ? height - radius : radius), radius, start, start + .pi / 2)
    }
    functions.cairo_close_path(cairo)
  }

  private func drawing(
    _ body: (OpaquePointer) throws(CardError) -> Void
  ) throws(CardError) {
    let (size, library) = (size, library)
    try Self.withSurface(of: &pixels, size, library) { surface throws(CardError) in
      let cairo = library.functions.cairo_create(surface)
      defer { library.functions.cairo_destroy(cairo) }
      try library.check(library.functions.cairo_status(cairo))
      guard let cairo else { throw CardError(.notDrawn) }
      try body(cairo)
      try library.check(library.functions.cairo_status(cairo))
    }
  }

  private static func withSurface(
    of pixels: inout [UInt8], _ size: PixelSize, _ library: PangoLibrary,
    _ body: (OpaquePointer) throws(CardError) -> Void
  ) throws(CardError) {
    try pixels.withUnsafeMutableBufferPointer { buffer throws(CardError) in
      let functions = library.functions
      let surface = functions.cairo_image_surface_create_for_data(
        buffer.baseAddress, panda_cairo_format_argb32, Int32(clamping: size.width),
        Int32(clamping: size.height), Int32(clamping: size.width * 4))
      defer { functions.cairo_surface_destroy(surface) }
      try library.check(functions.cairo_surface_status(surface))
      guard let surface else { throw CardError(.notDrawn) }
      try body(surface)
      functions.cairo_surface_flush(surface)
    }
  }

  /// Returns a picture's pixels in Cairo's order.
  private static func premultiplied(_ picture: Bitmap) -> [UInt8] {
    var pixels = picture.pixels
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = UInt16(pixels[index + 3])
      let red = pixels[index]
      pixels[index] = scaled(pixels[index + 2], by: alpha)
      pixels[index + 1] = scaled(pixels[index + 1], by: alpha)
      pixels[index + 2] = scaled(red, by: alpha)
    }
    return pixels
  }

  private static func scaled(_ part: UInt8, by alpha: UInt16) -> UInt8 {
    alpha == 255 ? part : UInt8((UInt16(part) * alpha + 127) / 255)
  }
}
