package import FoundationEssentials
package import PictureCodecs

/// A way of showing pictures in a terminal: symbols, sixel, kitty graphics and so on.
///
/// A picture is one rectangle of cells. ncurses keeps guard cells under it; the bytes of
/// `PreparedPicture` are written after ncurses has drawn.
package protocol PictureOutput: Sendable {
  /// Returns the useful resolution: the pixels of a bitmap that a cell of `cell` pixels can show.
  func pixelsPerCell(_ cell: PixelSize) -> PixelSize

  /// Prepares a picture for a rectangle of cells, stretched to fill it.
  ///
  /// CPU-bound; called off the main actor.
  ///
  /// - Parameters:
  ///   - bitmap: the picture, at the useful resolution or close to it.
  ///   - encoded: the bytes from which the whole bitmap was decoded, upright; nil if there are
  ///     none, as for a part of a picture.
  ///   - size: the rectangle.
  ///   - cell: a cell's size in pixels.
  func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture

  /// Returns a picture that the terminal holds whole, and of which it shows any part; nil if this
  /// way of showing pictures has no such thing.
  ///
  /// CPU-bound; called off the main actor.
  func magnifiable(_ bitmap: Bitmap) -> (any MagnifiablePicture)?

  /// Returns how many frames of an animation fit into so many bytes of memory once prepared.
  ///
  /// - Parameters:
  ///   - original: the size of the picture's own frames.
  ///   - memory: the bytes for all frames.
  func frameLimit(
    of original: PixelSize, filling size: CellSize, cell: PixelSize, memory: Int
  ) -> Int

  /// Prepares a frame of an animation for a rectangle of cells, like ``prepare``.
  func prepareFrame(
    _ bitmap: Bitmap, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture

  func animation(_ animation: Animation<any PreparedPicture>) -> PreparedAnimation

  /// Appends the bytes to send before a frame's pictures, which let the terminal free old ones.
  func beginFrame(into bytes: inout [UInt8])

  /// The number of pictures of a pane that can be shown and kept at a time.
  var mostPictures: Int { get }

  /// Whether a picture can be redrawn or moved thirty times a second.
  var redrawsCheaply: Bool { get }

  /// Whether the terminal stretches pictures to their cells, so that fewer pixels mean fewer bytes.
  var stretches: Bool { get }

  /// Whether the file that a picture was decoded from may be sent as it is.
  var sendsOriginals: Bool { get }

  /// Notes that the terminal lost every picture: the screen was cleared or left.
  func imagesWereLost()

  /// The bytes that end whatever picture was cut off, wherever; harmless if none was. ASCII.
  var ending: String { get }

  /// The bytes that make the terminal free all pictures on exit; ASCII.
  var cleanup: String { get }
}

extension PictureOutput {
  package func magnifiable(_ bitmap: Bitmap) -> (any MagnifiablePicture)? { nil }

  package func frameLimit(
    of original: PixelSize, filling size: CellSize, cell: PixelSize, memory: Int
  ) -> Int {
    let pixels = pixelsPerCell(cell)
    // The pixels, and about as many bytes again as a terminal gets of them.
    return memory / max(1, size.columns * size.rows * pixels.width * pixels.height * 5)
  }

  package func prepareFrame(
    _ bitmap: Bitmap, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    prepare(bitmap, encoded: nil, filling: size, cell: cell)
  }

  package func animation(_ animation: Animation<any PreparedPicture>) -> PreparedAnimation {
    PreparedAnimation(frames: animation.frames, loopCount: animation.loopCount)
  }

  package func beginFrame(into bytes: inout [UInt8]) {}
  package func imagesWereLost() {}
  package var ending: String { "\u{1B}\\" }
  package var cleanup: String { "" }
  package var mostPictures: Int { 400 }
  package var redrawsCheaply: Bool { true }
  package var stretches: Bool { true }
  package var sendsOriginals: Bool { false }
}

/// A picture of which the terminal shows any part at any size by itself.
package protocol MagnifiablePicture: AnyObject, Sendable {
  /// Returns a part of the picture, stretched to a rectangle of cells.
  ///
  /// - Complexity: O(1).
  func part(_ region: PixelRect, filling size: CellSize) -> any PreparedPicture
}

/// A picture prepared for one output and one size; compared by identity.
package protocol PreparedPicture: AnyObject, Sendable {
  var size: CellSize { get }

  /// The part to redraw after text was written over the picture.
  var repair: PictureRepair { get }

  /// Appends the bytes that draw a part of the picture.
  ///
  /// Other output may come before each movement of the cursor and between the commands of a
  /// transfer (``PicturePieces``), so colors are set after each movement.
  ///
  /// - Parameters:
  ///   - part: the cells of the picture, within its size.
  ///   - point: the screen position of the first cell.
  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8])

  /// The image that lies on a layer of the terminal's own; nil if the picture is cells.
  var layer: AnyObject? { get }

  /// Appends the bytes that give the terminal the image, which it does not show yet.
  func transmit(into bytes: inout [UInt8])

  /// Appends the bytes that remove a part drawn at `point`, if overwriting it with text does not.
  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8])

  /// Notes that the terminal has not got all that was drawn last.
  func wasCut()

  /// The bytes that print the whole picture at the cursor, among lines of text, permanently.
  var printed: [UInt8] { get }
}

extension PreparedPicture {
  package var layer: AnyObject? { nil }
  package func transmit(into bytes: inout [UInt8]) {}
  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {}
  package func wasCut() {}
}

/// The part of a picture to draw again where text was written over it.
package enum PictureRepair: Hashable, Sendable {
  /// The affected cells: each stands for itself.
  case cells
  /// The affected rows: their cells need those to their left.
  case rows
  /// The visible part that has holes: it is one image, and text leaves the rest of it.
  case part
  /// All of a part that text was written over: it is one image, which the terminal then drops.
  case image
  /// Nothing: it lies on its own layer.
  case nothing
}
