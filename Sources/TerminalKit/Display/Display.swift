package import PictureCodecs

/// The place where frames are shown: the terminal, or a canvas in memory in tests.
@MainActor
package protocol Display: AnyObject {
  /// The size in cells.
  var size: CellSize { get }
  /// A cell's size in pixels.
  var cell: PixelSize { get }
  /// The output of pictures; nil for words in their place.
  var output: (any PictureOutput)? { get }

  /// Chooses colors and the way of showing pictures for a terminal that was asked.
  ///
  /// - Parameter colors: the colors that the user chose.
  /// - Throws: ``TerminalError`` once the program is being ended.
  func adopt(
    _ profile: TerminalProfile, _ choice: PictureChoice, theme: Theme, colors: [Ink: InkColor]
  ) throws(TerminalError)

  /// Shows a frame; costs as much as changed since the last one.
  ///
  /// - Throws: ``TerminalError`` if the terminal is gone or takes nothing.
  func present(_ canvas: Canvas) throws(TerminalError)

  /// Draws everything anew at the next frame.
  func invalidate()

  /// Sends bytes that draw nothing, such as a text for the clipboard.
  ///
  /// - Throws: ``TerminalError`` if the terminal is gone or takes nothing.
  func send(_ bytes: [UInt8]) throws(TerminalError)

  /// Stops the program until the shell continues it.
  ///
  /// - Throws: ``TerminalError`` if it cannot be stopped.
  func suspend() throws(TerminalError)

  /// Takes the terminal again after the program was stopped.
  func resume()

  /// Measures the terminal again.
  func resize()
}
