package import PictureCodecs

/// An animation prepared for one output and one size.
package struct PreparedAnimation: Sendable {
  package let frames: [Animation<any PreparedPicture>.Frame]

  /// The number of times the animation plays; nil means without end.
  package let loopCount: Int?

  /// The picture that plays by itself once the terminal has all frames; nil if none does.
  package let played: (any PlayedPicture)?

  package init(
    frames: [Animation<any PreparedPicture>.Frame], loopCount: Int?,
    played: (any PlayedPicture)? = nil
  ) {
    self.frames = frames
    self.loopCount = loopCount
    self.played = played
  }
}

/// A picture that the terminal plays by itself.
///
/// The terminal gets a frame each time one is drawn that it lacks.
package protocol PlayedPicture: PreparedPicture {
  /// Whether the terminal has all frames, so that drawing this picture plays them.
  var isComplete: Bool { get }
}
