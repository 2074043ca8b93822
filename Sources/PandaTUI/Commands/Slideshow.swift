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
  private(set) var frame: SlideshowRequest?
  /// When each favorite had been seen before the frame began: what it shows leaves no filter.
  private(set) var lastSeen: [String: Date]?
  /// The identifiers of those that the frame has shown.
  private(set) var shown: Set<String> = []

  /// Starts a picture frame, and returns the number of its show.
  mutating func start(_ frame: SlideshowRequest) -> Int {
    self.frame = frame
    return start(withFavorites: frame.directory == nil, isShuffled: true)
  }

  /// Notes what was seen before the frame.
  mutating func begin(after lastSeen: [String: Date]) { self.lastSeen = lastSeen }

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
    (frame, lastSeen) = (nil, nil)
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
