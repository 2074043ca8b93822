internal import FoundationEssentials
internal import PandaSession

/// The state of the slideshow: whether it is running, its number, and which favorite is next.
struct Slideshow: Equatable, Sendable {
  private(set) var isRunning = false
  /// Whether it shows the favorites of the carousel, and not new pandas.
  private(set) var showsFavorites = false
  private(set) var isShuffled = false
  private var number = 0
  /// The picture frame that it is, if it is one.
  private(set) var frame: Frame?
  /// The identifiers of those that the frame has shown.
  private(set) var shown: Set<String> = []

  /// A slideshow with which the program begins, and that shows nothing but pictures.
  struct Frame: Equatable, Sendable {
    /// The time for which each picture is shown.
    var seconds: Int
    /// Whether the program ends when each was shown.
    var isOnce = false
    /// The filter of the favorites.
    var filter = ""
    /// When each favorite had been seen before it began: what it shows leaves no filter.
    var lastSeen: [String: Date]?
    /// Whether it shows favorites, or what the source has.
    var showsFavorites = true
    /// The number of pictures that the source has, if it is known.
    var count = Int.max
  }

  /// Starts a picture frame, and returns the number of its show.
  mutating func start(_ frame: Frame) -> Int {
    self.frame = frame
    return start(withFavorites: frame.showsFavorites, isShuffled: true)
  }

  /// Notes what was seen before the frame.
  mutating func begin(after lastSeen: [String: Date]) { frame?.lastSeen = lastSeen }

  /// Notes what the frame shows now.
  mutating func show(_ id: String?) { if let id { shown.insert(id) } }

  /// Starts a show, and returns its number.
  mutating func start(withFavorites showsFavorites: Bool, isShuffled: Bool = false) -> Int {
    isRunning = true
    self.showsFavorites = showsFavorites
    self.isShuffled = isShuffled
    number += 1
    return number
  }

  mutating func stop() {
    isRunning = false
    frame = nil
  }

  /// Changes between a random order and that of the favorites.
  mutating func toggleShuffle() { isShuffled.toggle() }

  /// Returns whether the show with this number is running.
  ///
  /// A restarted show has a new number.
  func isRunning(_ number: Int) -> Bool { isRunning && self.number == number }

  /// Returns whether a key only pauses the show: any but those that go with it.
  func isPaused(by command: Command?) -> Bool {
    command == .favorites(.sort)
      ? !showsFavorites || frame != nil : command?.has(.keepsSlideshow) != true
  }
}
