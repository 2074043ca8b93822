internal import PictureCodecs
internal import TerminalKit

/// The visible part of a picture and its scale, as a pure state machine.
///
/// Lengths are pixels of the screen or of the picture; a scale of 1 shows one by one.
struct ZoomState: Equatable {
  let picture: PixelSize
  private(set) var view: CellSize
  private(set) var cell: PixelSize
  /// The number of pixels of the screen for one of the picture.
  private(set) var scale: Double
  /// The place in the picture that is in the middle of the view.
  private var center: (x: Double, y: Double)

  /// The factor by which a step enlarges the picture.
  private static let step = 1.25
  /// The largest scale.
  private static let most = 16.0

  init(_ picture: PixelSize, view: CellSize, cell: PixelSize) {
    self.picture = PixelSize(width: max(1, picture.width), height: max(1, picture.height))
    self.view = view
    self.cell = cell
    scale = 1
    center = (Double(picture.width) / 2, Double(picture.height) / 2)
    scale = fitting
  }

  static func == (one: ZoomState, other: ZoomState) -> Bool {
    one.picture == other.picture && one.view == other.view && one.cell == other.cell
      && one.scale == other.scale && one.center == other.center
  }

  private var viewWidth: Double { Double(max(1, view.columns) * max(1, cell.width)) }
  private var viewHeight: Double { Double(max(1, view.rows) * max(1, cell.height)) }

  /// The scale at which the whole picture fills the view.
  var fitting: Double {
    min(viewWidth / Double(picture.width), viewHeight / Double(picture.height))
  }

  var isFitted: Bool { scale <= fitting }

  /// Adapts to another size of the view; a picture that fitted still does.
  mutating func resize(_ view: CellSize, cell: PixelSize) {
    guard view != self.view || cell != self.cell else { return }
    let wasFitted = isFitted
    self.view = view
    self.cell = cell
    if wasFitted || scale < fitting { scale = fitting }
    clampCenter()
  }

  /// Makes the picture larger or smaller; it stops at the whole picture, and on its way at 1:1.
  ///
  /// - Parameters:
  ///   - steps: how often; negative makes it smaller.
  ///   - point: the cell of the view that stays where it is; nil for the middle.
  mutating func zoom(by steps: Int, at point: CellPoint? = nil) {
    var factor = 1.0
    for _ in 0..<min(abs(steps), 100) { factor *= steps > 0 ? Self.step : 1 / Self.step }
    var target = scale * factor
    if (scale < 1) == (target > 1), scale != 1, target != 1 { target = 1 }
    setScale(target, at: point)
  }

  /// Shows the whole picture, or one pixel of it for each of the screen; a picture whose pixels are
  /// as large already becomes twice as large.
  mutating func toggleActualSize() {
    setScale(isFitted ? fitting < 0.99 ? 1 : fitting * 2 : fitting, at: nil)
  }

  private mutating func setScale(_ target: Double, at point: CellPoint?) {
    var new = max(fitting, min(max(Self.most, fitting), target))
    // As many steps back as forward end where they began.
    if new < fitting * 1.001 { new = fitting }
    if let point {
      // The place under the pointer stays there.
      let x = (Double(point.column) + 0.5) * Double(cell.width) - viewWidth / 2
      let y = (Double(point.row) + 0.5) * Double(cell.height) - viewHeight / 2
      center.x += x / scale - x / new
      center.y += y / scale - y / new
    }
    scale = new
    clampCenter()
  }

  mutating func pan(columns: Int, rows: Int) {
    center.x += Double(columns * cell.width) / scale
    center.y += Double(rows * cell.height) / scale
    clampCenter()
  }

  /// Moves the view to the upper left corner of the picture, or to the lower right one.
  mutating func pan(toEnd: Bool) {
    center = toEnd ? (Double(picture.width), Double(picture.height)) : (0, 0)
    clampCenter()
  }

  /// The size in cells that the visible part takes, at most the view's.
  var size: CellSize {
    CellSize(
      columns: Self.cells(Double(picture.width) * scale, cell.width, most: view.columns),
      rows: Self.cells(Double(picture.height) * scale, cell.height, most: view.rows))
  }

  /// The visible part of the picture.
  var region: PixelRect {
    let width = visible(size.columns * cell.width, of: picture.width)
    let height = visible(size.rows * cell.height, of: picture.height)
    let x = Int((center.x - Double(width) / 2).rounded())
    let y = Int((center.y - Double(height) / 2).rounded())
    return PixelRect(
      x: max(0, min(picture.width - width, x)), y: max(0, min(picture.height - height, y)),
      size: PixelSize(width: width, height: height))
  }

  private func visible(_ length: Int, of whole: Int) -> Int {
    isFitted ? whole : max(1, min(whole, Int((Double(length) / scale).rounded())))
  }

  private static func cells(_ length: Double, _ cell: Int, most: Int) -> Int {
    max(1, min(max(1, most), Int((length / Double(max(1, cell))).rounded())))
  }

  private mutating func clampCenter() {
    center.x = Self.clamp(center.x, viewWidth / scale, Double(picture.width))
    center.y = Self.clamp(center.y, viewHeight / scale, Double(picture.height))
  }

  private static func clamp(_ middle: Double, _ visible: Double, _ whole: Double) -> Double {
    visible >= whole ? whole / 2 : max(visible / 2, min(whole - visible / 2, middle))
  }
}
