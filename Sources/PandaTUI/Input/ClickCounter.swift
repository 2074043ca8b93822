/// Tells double clicks from two clicks.
struct ClickCounter: Equatable, Sendable {
  /// How long after a click another makes it double: what desktops have.
  static let patience = Duration.milliseconds(400)

  private var last: (point: CellPoint, moment: Duration)?

  static func == (one: Self, other: Self) -> Bool {
    one.last?.point == other.last?.point && one.last?.moment == other.last?.moment
  }

  /// Takes a click; whether it is the second at nearly the same place.
  mutating func isDouble(_ point: CellPoint, at moment: Duration) -> Bool {
    if let last, moment - last.moment <= Self.patience, abs(last.point.column - point.column) <= 1,
      last.point.row == point.row
    {
      self.last = nil
      return true
    }
    last = (point, moment)
    return false
  }
}
