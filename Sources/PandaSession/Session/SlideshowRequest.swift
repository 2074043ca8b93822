/// What `panda slideshow` shows: a picture frame, which begins with the screen.
package struct SlideshowRequest: Equatable, Sendable {
  /// A directory, or a filter, as typed.
  package var words: [String] = []
  /// The seconds for which each picture is shown; nil for the setting.
  package var seconds: Int?
  /// Whether it ends when each was shown.
  package var isOnce = false
  /// The number of pictures in the directory, if it is known.
  package var count = Int.max

  /// The directory whose pictures are shown; nil for favorites.
  package var directory: String? {
    guard words.count == 1, words[0].contains("/") || [".", "..", "~"].contains(words[0]) else {
      return nil
    }
    return words[0]
  }

  /// The filter of the favorites.
  package var filter: String { directory == nil ? words.joined(separator: " ") : "" }

  package init(words: [String] = [], seconds: Int? = nil, isOnce: Bool = false) {
    (self.words, self.seconds, self.isOnce) = (words, seconds, isOnce)
  }
}
