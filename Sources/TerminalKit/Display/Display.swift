package import PictureCodecs

/// The place where frames are shown: the terminal, or a canvas in memory in tests.
@MainActor
package protocol Display: AnyObject {
  var size: CellSize { get }
  var cell: PixelSize { get }
  /// The output of pictures; nil for words in their place.
  var output: (any PictureOutput)? { get }

  /// Chooses colors and the way of showing pictures for a terminal that was asked.
  ///
  /// - Throws: ``TerminalError`` once the program is being ended.
  func adopt(
    _ profile: TerminalProfile, _ choice: PictureChoice, theme: Theme
  ) throws(TerminalError)

  /// Whether the terminal has yet to take what was shown last.
  var isBusy: Bool { get }

  /// Called when the terminal has taken all that was shown, with the number of bytes.
  var onShown: @MainActor (_ bytes: Int) -> Void { get set }

  var onLoss: @MainActor (TerminalError) -> Void { get set }

  /// Shows a frame; costs as much as changed since the last one.
  ///
  /// It never waits for the terminal: of the frames that come while that is busy only the last one
  /// is shown.
  func present(_ canvas: Canvas)

  /// Returns whether a picture can be shown at once; if not, the terminal is given it beside other
  /// frames, and ``onShown`` follows.
  func isAtHand(_ picture: any PreparedPicture) -> Bool

  /// Redraws everything at the next frame.
  func invalidate()

  /// Sends bytes that draw nothing, such as a text for the clipboard.
  func send(_ bytes: [UInt8])

  /// Stops the program until the shell continues it.
  ///
  /// - Throws: ``TerminalError`` if it cannot be stopped.
  func suspend() throws(TerminalError)

  /// Takes the terminal again after the program was stopped.
  func resume()

  /// Measures the terminal again.
  func resize()
}
