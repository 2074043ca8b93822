/// Animates the pictures of a row sliding into place, as a pure state machine.
///
/// A picture that has moved starts at its previous place and arrives after ``duration``; a new one
/// slides in with its neighbor. Moments are times since the program started.
struct SlidingRow {
  /// The duration of a slide: six frames at 30 per second.
  static let duration = Duration.milliseconds(200)

  /// The distances from their places at the start, in columns.
  private var offsets: [String: Int] = [:]
  private var start = Duration.zero
  private var targets: [String: Int] = [:]

  /// Updates the target columns of the pictures, in their order.
  ///
  /// - Parameter animates: whether pictures slide there; otherwise they jump.
  mutating func follow(
    _ places: [(id: String, column: Int)], at moment: Duration, animates: Bool
  ) {
    let next = Dictionary(places.map { ($0.id, $0.column) }, uniquingKeysWith: { $1 })
    guard next != targets else { return }
    let former = targets
    var moved: [String: Int] = [:]
    if animates {
      for (id, column) in next {
        guard let old = former[id] else { continue }
        moved[id] = old + offset(of: id, at: moment) - column
      }
      for (index, place) in places.enumerated() where former[place.id] == nil {
        moved[place.id] = Self.nearest(to: index, in: places, of: moved)
      }
    }
    offsets = moved.filter { $0.value != 0 }
    start = moment
    targets = next
  }

  /// Returns how many columns a picture is away from its place.
  func offset(of id: String, at moment: Duration) -> Int {
    guard let offset = offsets[id] else { return 0 }
    let share = (moment - start) / Self.duration
    guard share < 1 else { return 0 }
    // Fast at first, then slower, as if it was pushed.
    let rest = (1 - share) * (1 - share)
    return Int((Double(offset) * rest).rounded())
  }

  func isMoving(at moment: Duration) -> Bool {
    !offsets.isEmpty && moment - start < Self.duration
  }

  private static func nearest(
    to index: Int, in places: [(id: String, column: Int)], of moved: [String: Int]
  ) -> Int {
    for distance in 1..<max(2, places.count) {
      for neighbor in [index + distance, index - distance] where places.indices.contains(neighbor) {
        if let offset = moved[places[neighbor].id] { return offset }
      }
    }
    return 0
  }
}
