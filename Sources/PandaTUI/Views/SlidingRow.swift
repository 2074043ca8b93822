/// Where the pictures of a row are while it slides to where they belong, as a pure state machine.
///
/// What has moved starts at its former place and arrives after ``duration``; what is new comes along
/// with its neighbour. Moments are times since the program started.
struct SlidingRow {
  /// How long a slide takes: six frames at 30 a second.
  static let duration = Duration.milliseconds(200)

  /// How far from their places they were when the slide began, in columns.
  private var offsets: [String: Int] = [:]
  private var start = Duration.zero
  private var targets: [String: Int] = [:]

  /// Follows the row: the columns where the pictures belong, in their order.
  ///
  /// - Parameter animates: whether they slide there; otherwise they are there at once.
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

  /// How many columns a picture is from where it belongs.
  func offset(of id: String, at moment: Duration) -> Int {
    guard let offset = offsets[id] else { return 0 }
    let share = (moment - start) / Self.duration
    guard share < 1 else { return 0 }
    // Fast at first, then slower: it looks pushed.
    let rest = (1 - share) * (1 - share)
    return Int((Double(offset) * rest).rounded())
  }

  /// The greatest distance of any picture from where it belongs.
  func farthest(at moment: Duration) -> Int {
    offsets.keys.map { abs(offset(of: $0, at: moment)) }.max() ?? 0
  }

  /// Whether something has not arrived yet.
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
