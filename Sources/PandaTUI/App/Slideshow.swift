/// The state of the slideshow: whether it is running, and its number.
struct Slideshow: Equatable, Sendable {
  private(set) var isRunning = false
  /// Whether it shows the favorites of the carousel in their order, and not new pandas.
  private(set) var showsFavorites = false
  private var number = 0

  /// Starts a show, and returns its number.
  mutating func start(withFavorites showsFavorites: Bool) -> Int {
    isRunning = true
    self.showsFavorites = showsFavorites
    number += 1
    return number
  }

  mutating func stop() {
    isRunning = false
  }

  /// Returns whether the show with this number is running.
  ///
  /// A restarted show has a new number.
  func isRunning(_ number: Int) -> Bool { isRunning && self.number == number }
}
