import Foundation
import PictureCodecs
import TerminalKit

/// A display in memory: keeps the newest frame.
@MainActor
final class CanvasDisplay: Display {
  var size: CellSize
  let cell = PixelSize(width: 8, height: 16)
  let output: (any PictureOutput)?
  private(set) var canvas: Canvas
  private(set) var frameCount = 0
  private(set) var sent: [UInt8] = []
  private(set) var suspendCount = 0
  /// What else happens when the program is stopped.
  var onSuspend: @MainActor () -> Void = {}
  /// Whether a terminal takes what it gets only once `take` is called.
  var isSlow = false
  private(set) var isBusy = false
  var onShown: @MainActor (_ bytes: Int) -> Void = { _ in }
  var onLoss: @MainActor (TerminalError) -> Void = { _ in }
  /// Whether the terminal can show a picture at once.
  var holds: @MainActor (any PreparedPicture) -> Bool = { _ in true }
  /// What else happens while a frame is shown.
  var onPresent: @MainActor () -> Void = {}

  init(columns: Int, rows: Int, output: (any PictureOutput)?) {
    size = CellSize(columns: columns, rows: rows)
    canvas = Canvas(size: size)
    self.output = output
  }

  func adopt(
    _ profile: TerminalProfile, _ choice: PictureChoice, theme: Theme
  ) {}

  func present(_ canvas: Canvas) {
    self.canvas = canvas
    frameCount += 1
    isBusy = true
    onPresent()
    if !isSlow { take() }
  }

  /// Takes all that was shown.
  func take() {
    isBusy = false
    onShown(.max)
  }

  func isAtHand(_ picture: any PreparedPicture) -> Bool { holds(picture) }
  func invalidate() {}
  func send(_ bytes: [UInt8]) { sent += bytes }

  func suspend() {
    suspendCount += 1
    onSuspend()
  }

  func resume() {}
  func resize() {}

  /// The rows as text, without the blanks at their ends.
  var lines: [String] {
    canvas.rows.map { row in
      var text = row.map(\.text).joined()
      while text.last?.isWhitespace == true { text.removeLast() }
      return text
    }
  }

  var text: String { lines.joined(separator: "\n") }
}

/// Shows pictures as the bitmaps that they are: making symbols of them takes most of a test's time.
struct BitmapOutput: PictureOutput {
  func pixelsPerCell(_ cell: PixelSize) -> PixelSize { PixelSize(width: 1, height: 2) }

  func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    BitmapPicture(bitmap, size: size)
  }
}

/// A bitmap in cells.
final class BitmapPicture: PreparedPicture {
  let bitmap: Bitmap
  let size: CellSize
  let repair = PictureRepair.rows
  let printed: [UInt8] = []

  init(_ bitmap: Bitmap, size: CellSize) {
    self.bitmap = bitmap
    self.size = size
  }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {}
  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {}
}
