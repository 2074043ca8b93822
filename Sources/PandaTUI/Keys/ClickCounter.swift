internal import TerminalKit

/// Tells double clicks from two clicks.
struct ClickCounter: Equatable, Sendable {
  /// How long after a click another makes it double: what desktops have.
  static let patience = Duration.milliseconds(400)

  private struct Click: Equatable {
    let point: CellPoint
    let picture: String?
    let moment: Duration
  }

  private var last: Click?

  /// Takes a click; whether it is the second at nearly the same place.
  ///
  /// - Parameter picture: what was clicked on, if it was a picture. When another has come to the
  ///   place meanwhile, it is the first click on that.
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
}
