package import FoundationEssentials
package import PictureCodecs

/// A way of showing pictures in a terminal: symbols, sixel, kitty graphics and so on.
///
/// A picture is one rectangle of cells. ncurses holds guard cells under it; what `PreparedPicture`
/// gives is written after ncurses has drawn.
package protocol PictureOutput: Sendable {
  /// How many pixels of a bitmap a cell of `cell` pixels can show; more are of no use.
  func pixelsPerCell(_ cell: PixelSize) -> PixelSize

  /// Makes of a picture what shows it in a rectangle of cells, stretched to fill it.
  ///
  /// CPU-bound; called off the main actor.
  ///
  /// - Parameters:
  ///   - bitmap: the picture, in as many pixels as are of use, or about so many.
  ///   - encoded: the bytes that all of the bitmap was decoded from, upright; nil where there are
  ///     none, as for a part of a picture.
  ///   - size: the rectangle.
  ///   - cell: a cell's size in pixels.
  func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture

  /// Appends what must be sent before a frame's pictures: what the terminal may let go of.
  func beginFrame(into bytes: inout [UInt8])

  /// Whether a picture can be drawn anew, or elsewhere, thirty times a second.
  var redrawsCheaply: Bool { get }

  /// Whether the terminal stretches pictures to their cells, so that one with few pixels is one with
  /// few bytes.
  var stretches: Bool { get }

  /// Says that the terminal has forgotten every picture: the screen was cleared or left.
  func terminalHasForgotten()

  /// What makes the terminal free all pictures on the way out; ASCII.
  var farewell: String { get }
}

extension PictureOutput {
  package func beginFrame(into bytes: inout [UInt8]) {}
  package func terminalHasForgotten() {}
  package var farewell: String { "" }
  package var redrawsCheaply: Bool { true }
  package var stretches: Bool { true }
}

/// A picture made ready for one output and one size; told apart by identity.
package protocol PreparedPicture: AnyObject, Sendable {
  /// The rectangle that it fills.
  var size: CellSize { get }

  /// What has to be drawn again after text was written over a part of the picture.
  var repair: PictureRepair { get }

  /// Appends what draws a part of it.
  ///
  /// - Parameters:
  ///   - part: the cells of the picture, within its size.
  ///   - point: where on the screen the first of them is.
  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8])

  /// Appends what takes a part away that `draw` has drawn at `point`, where text written over it
  /// does not.
  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8])

  /// What prints all of it where the cursor is, among lines of text, to stay there.
  var printed: [UInt8] { get }
}

extension PreparedPicture {
  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {}
}

/// What of a picture has to be drawn again where text was written over it.
package enum PictureRepair: Hashable, Sendable {
  /// The rows that were touched: it is made of cells.
  case rows
  /// All of the part that was touched: it is one image that text makes holes in.
  case part
  /// Nothing: it lies on a layer of its own.
  case nothing
}
