internal import FoundationEssentials
internal import Glibc
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// Plays an animation where its first frame was printed, until a key or the end of its loops.
@MainActor
struct ShowPlayer {
  let terminal: ShowTerminal
  /// The cells of the picture, just above the cursor.
  let size: CellSize

  /// Plays a file; returns at once if it is no animation, or cannot be played here.
  ///
  /// The last frame that was shown stays. Frames for which the terminal has no time are left out.
  ///
  /// - Throws: ``PictureError``, or `TerminalError` if the output cannot be written.
  func play(_ file: Data) async throws {
    let window = ShowTerminal.room
    // A picture larger than the window has scrolled.
    guard size.columns <= window.columns, size.rows <= window.rows,
      let animation = try await animation(file), try terminal.beginPlaying()
    else { return }
    try play(animation, in: window)
    try terminal.endPlaying()
  }

  private func animation(_ file: Data) async throws -> PreparedAnimation? {
    let moving = terminal.path.outputInText(profile: terminal.profile, isMoving: true)
    guard let output = moving else { return nil }
    let cell = terminal.cell
    let original = try PictureDecoder.header(of: file).size
    let animation = try await PictureDecoder().frames(
      of: file, covering: CellRect(size).pixels(cell: output.pixelsPerCell(cell)).size,
      atMost: output.frameLimit(
        of: original, filling: size, cell: cell, memory: Playback.memory)
    ) { [size] in output.prepareFrame($0, filling: size, cell: cell) }
    return animation.map { output.animation($0) }
  }

  private func play(_ animation: PreparedAnimation, in window: CellSize) throws {
    var playback = Playback(
      durations: animation.frames.map(\.duration), loopCount: animation.loopCount)
    var shown: (any PreparedPicture)?
    var pace = FramePace()
    let start = ContinuousClock.now
    playback.run(at: .zero)
    while true {
      let moment = start.duration(to: .now)
      playback.advance(to: moment)
      let isPlayed = animation.played?.isComplete == true && !playback.isOver
      let picture =
        isPlayed ? animation.played! : animation.frames[playback.index].picture
      if picture !== shown {
        try show(picture)
        shown = picture
        pace.record(start.duration(to: .now) - moment)
      }
      guard let wait = playback.nextFrame(after: start.duration(to: .now)) else { return }
      // The terminal plays by itself: without an end, only keys are left to read.
      let pause = isPlayed && animation.loopCount == nil ? .seconds(3_600) : max(wait, pace.pause)
      if terminal.keyIsPressed(before: .now + pause) {
        if isPlayed { try show(animation.frames[playback.index].picture) }
        return
      }
      // A window of another size has moved the picture.
      if ShowTerminal.room != window { return }
    }
  }

  /// Prints a frame over the one before.
  private func show(_ picture: any PreparedPicture) throws {
    try terminal.print(
      Array("\u{1B}[?2026h\r\u{1B}[\(size.rows)A".utf8) + picture.printed
        + Array("\u{1B}[?2026l".utf8))
  }
}

extension ShowTerminal {
  /// Returns whether a key is pressed, or the terminal is gone, before a moment.
  fileprivate func keyIsPressed(before moment: ContinuousClock.Instant) -> Bool {
    var isPressed = false
    var isEmpty = true
    var input = early ?? EarlyInput()
    TerminalInput.read(self.input, until: moment) { bytes in
      isEmpty = false
      let events = input.decoder.feed(bytes)
      input.owed.receive(events)
      for event in events {
        switch event {
        case .key, .paste: isPressed = true
        case .reply, .mouse, .focus: break
        }
      }
      // A lone escape may be the beginning of a late answer, but only if one is outstanding.
      if input.owed.count == 0, input.decoder.patience != nil {
        isPressed = isPressed || !input.decoder.flush().isEmpty
      }
      return !isPressed
    }
    early = input
    return isPressed || isEmpty && ContinuousClock.now < moment
  }
}
