internal import PandaSession

/// The state of the slideshow: whether it is running, its number, and which favorite is next.
struct Slideshow: Equatable, Sendable {
  private(set) var isRunning = false
  /// Whether it shows the favorites of the carousel, and not new pandas.
  private(set) var showsFavorites = false
  private(set) var isShuffled = false
  private var number = 0
  /// The favorites that were shown since all were shown last.
  private var shown: Set<String> = []

  /// Starts a show, and returns its number.
  ///
  /// A shuffled show continues with the favorites that were not shown yet.
  mutating func start(withFavorites showsFavorites: Bool, isShuffled: Bool = false) -> Int {
    isRunning = true
    self.showsFavorites = showsFavorites
    self.isShuffled = isShuffled
    number += 1
    return number
  }

  mutating func stop() {
    isRunning = false
  }

  /// Changes between a random order and that of the favorites.
  mutating func toggleShuffle() {
    isShuffled.toggle()
    shown = []
  }

  /// Returns whether the show with this number is running.
  ///
  /// A restarted show has a new number.
  func isRunning(_ number: Int) -> Bool { isRunning && self.number == number }

  /// Returns whether a key only pauses the show: any but those that go with it.
  func isPaused(by command: Command?) -> Bool {
    command == .favorites(.sort) ? !showsFavorites : command?.has(.keepsSlideshow) != true
  }

  /// Returns the favorite to show next; nil if there is none.
  ///
  /// In a random order, none is shown again before all were shown, and after that the last one does
  /// not come first.
  ///
  /// - Parameters:
  ///   - current: the one that is shown now.
  ///   - ids: all of them, in the order of the favorites.
  /// - Complexity: O(n).
  mutating func next(
    after current: String?, in ids: [String], using generator: inout some RandomNumberGenerator
  ) -> String? {
    guard isShuffled else {
      let index = current.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      return ids.indices.contains(index) ? ids[index] : ids.first
    }
    if let current { shown.insert(current) }
    var left = ids.filter { !shown.contains($0) }
    if left.isEmpty {
      shown = current.map { [$0] } ?? []
      left = ids.count > 1 ? ids.filter { $0 != current } : ids
    }
    guard let next = left.randomElement(using: &generator) else { return nil }
    shown.insert(next)
    return next
  }
}
