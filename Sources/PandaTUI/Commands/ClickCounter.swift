internal import TerminalKit

struct ClickCounter: Equatable, Sendable {
  /// The longest time between the clicks of a double click, as on desktops.
  static let patience = Duration.milliseconds(400)

  private struct Click: Equatable {
    let point: CellPoint
    let picture: String?
    let moment: Duration
  }

  private var last: Click?

  /// Handles a click; returns whether it is the second at nearly the same place.
  ///
  /// - Parameter picture: the picture that was clicked, if any. If another picture has moved to the
  ///   place since, this is the first click on that one.
  mutating func isDouble(
    _ point: CellPoint, on picture: String? = nil, at moment: Duration
  ) -> Bool {
    if let last, last.picture == picture, moment - last.moment <= Self.patience,
      abs(last.point.column - point.column) <= 1,
      last.point.row == point.row
    {
      self.last = nil
      return true
    }
    last = Click(point: point, picture: picture, moment: moment)
    return false
  }

  /// Handles a click on a thumbnail; returns the one that the first click was on, if this is the
  /// second at nearly the same place.
  ///
  /// The first click may have scrolled another one there.
  mutating func doubleClicked(
    _ point: CellPoint, on picture: String, at moment: Duration
  ) -> String? {
    if let former = last?.picture, isDouble(point, on: former, at: moment) { return former }
    last = Click(point: point, picture: picture, moment: moment)
    return nil
  }
}
