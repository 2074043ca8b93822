/// Whether the slideshow runs, and which one it is.
struct Slideshow: Equatable, Sendable {
  private(set) var isRunning = false
  private var number = 0

  /// Begins a show, and returns its number.
  mutating func start() -> Int {
    isRunning = true
    number += 1
    return number
  }

  mutating func stop() {
    isRunning = false
  }

  /// Whether the show with this number runs: one that was stopped and begun again is another.
  func isRunning(_ number: Int) -> Bool { isRunning && self.number == number }
}
