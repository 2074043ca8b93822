internal import PandaCore

/// A way of showing pictures in a terminal: symbols, sixel, kitty graphics and so on.
///
/// A picture is one rectangle of cells. ncurses holds guard cells under it; what `PreparedPicture`
/// gives is written after ncurses has drawn.
protocol PictureOutput: Sendable {
  /// How many pixels of a bitmap a cell can show; more are of no use.
  var pixelsPerCell: PixelSize { get }

  /// Makes of a bitmap what shows it in a rectangle of cells, stretched to fill it.
  ///
  /// CPU-bound; called off the main actor.
  func prepare(_ bitmap: Bitmap, filling size: CellSize) -> any PreparedPicture
}

/// A picture made ready for one output and one size; told apart by identity.
protocol PreparedPicture: AnyObject, Sendable {
  /// The rectangle that it fills.
  var size: CellSize { get }

  /// Appends what draws some cells of one of its rows.
  ///
  /// - Parameters:
  ///   - row: the row of the picture.
  ///   - columns: the columns of the picture.
  ///   - point: where on the screen the first of them is.
  func draw(row: Int, columns: Range<Int>, at point: CellPoint, into bytes: inout [UInt8])
}
