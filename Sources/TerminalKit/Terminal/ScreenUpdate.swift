/// The control strings around what is drawn at once.
///
/// One synchronized update is around a frame's text and pictures, so that no terminal shows the
/// text without the picture; a long one is divided.
struct ScreenUpdate {
  /// The number of bytes since it began.
  var count = 0
  private var hasBegun = false
  private var isInPicture = false
  private var hidesCursor = false

  /// Begins drawing text, between two pieces of a picture or before all of them.
  mutating func beginText(_ bytes: inout [UInt8]) {
    begin(&bytes)
    endPicture(&bytes)
  }

  /// Begins drawing pictures, which leave the cursor and the colors of text as they are.
  mutating func beginPicture(hidingCursor: Bool, _ bytes: inout [UInt8]) {
    guard !isInPicture else { return }
    begin(&bytes)
    isInPicture = true
    hidesCursor = hidingCursor
    if hidesCursor { bytes += "\u{1B}[?25l".utf8 }
    bytes += "\u{1B}7".utf8
  }

  /// Ends the update, if one has begun.
  mutating func end(_ bytes: inout [UInt8]) {
    guard hasBegun else { return }
    endPicture(&bytes)
    bytes += "\u{1B}[?2026l".utf8
    self = ScreenUpdate()
  }

  private mutating func begin(_ bytes: inout [UInt8]) {
    guard !hasBegun else { return }
    hasBegun = true
    bytes += "\u{1B}[?2026h".utf8
  }

  private mutating func endPicture(_ bytes: inout [UInt8]) {
    guard isInPicture else { return }
    isInPicture = false
    bytes += "\u{1B}8".utf8
    if hidesCursor { bytes += "\u{1B}[?25h".utf8 }
  }
}
