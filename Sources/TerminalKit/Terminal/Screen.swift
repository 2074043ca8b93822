internal import CNcurses
internal import Glibc
package import PictureCodecs

/// The terminal's screen: text by ncurses, and pictures that are written over their guard cells.
///
/// The screen's contents are remembered, so a frame only costs the difference from the last one.
/// Nothing waits for the terminal: a frame that comes while it takes a former one replaces the rest
/// of that. Text that was begun is completed, since ncurses believes it to be on the screen; a
/// picture that the newer frame does not have is cut off.
@MainActor
package final class Screen {
  package enum Failure: Error, CustomStringConvertible {
    case notATerminal
    case unknownTerminal(String)
    case cannotMoveCursor(String)
    /// There is no file in memory to draw into, with the `errno` value.
    case noMemory(Int32)

    package var description: String {
      switch self {
      case .notATerminal:
        "standard input and output must be a terminal."
      case .unknownTerminal(let name):
        name.isEmpty
          ? "TERM is not set. Set it to your terminal's name, such as xterm-256color."
          : "the terminal \(name) is unknown here. Set TERM, or install ncurses-term."
      case .cannotMoveCursor(let name):
        "the terminal \(name) cannot place text, as xterm can."
      case .noMemory(let code):
        "there is no memory for drawing: \(String(cString: strerror(code)))."
      }
    }
  }

  package private(set) var size: CellSize
  /// A cell's size in pixels; 8x16 if the terminal does not report it.
  package private(set) var cell: PixelSize

  /// A cell's size in pixels from the terminal's answer.
  package var answeredCell: PixelSize? {
    didSet { (size, cell) = measure() }
  }
  /// The control strings that switch on the terminal's reports, such as the mouse.
  package var inputModes = ""
  package var usesKittyKeyboard = false
  /// Whether the alternate screen has the flags of `TerminalModes.keyboardOn`.
  private(set) var hasKittyKeyboard = false
  /// Called before the alternate screen gets these flags.
  var onKeyboard: @MainActor () -> Void = {}
  package var theme: InkTheme {
    get { text.theme }
    set {
      guard newValue != text.theme else { return }
      text.theme = newValue
      invalidate()
    }
  }
  /// The method of showing pictures; nil for none.
  package var output: (any PictureOutput)?

  package var emojiSequences: EmojiSequences {
    get { text.emojiSequences }
    set { text.emojiSequences = newValue }
  }

  /// Called when the terminal has taken all that was shown, with the number of bytes.
  package var onShown: @MainActor (_ bytes: Int) -> Void = { _ in }
  package var onLoss: @MainActor (TerminalError) -> Void = { _ in }

  /// Whether the terminal has yet to take what was shown last.
  package private(set) var isBusy = false

  private let descriptor: DrawingDescriptor
  private let text: CursesText
  private var writer: TerminalWriter!
  /// The newest frame, if its text is not yet drawn.
  private var newest: Canvas?
  /// The picture that the terminal was given last, ahead of its frame.
  private weak var given: (any PreparedPicture)?
  private var shown: Canvas?
  private var pictures = PictureQueue()
  /// Bytes that are no drawing.
  private var others: [UInt8] = []
  /// Set when the terminal's contents are unknown.
  private var mustRedraw = false
  private var update = ScreenUpdate()
  /// The number of bytes since the terminal had taken all.
  private var count = 0

  /// Whether standard input and output are both a terminal.
  package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Measures and draws text according to the environment's locale.
  ///
  /// Call it before drawing anything.
  package nonisolated static func useLocale() {
    _ = panda_use_locale()  // an uninstalled locale counts as C: text is ASCII
  }

  /// Returns the first `count` colors of the terminal; nil if it has fewer.
  func palette(_ count: Int) -> TerminalPalette? {
    guard panda_colors() >= count,
      let reset = panda_string_capability("sgr0").map({ Self.withoutPadding(String(cString: $0)) })
    else { return nil }
    func sequences(_ capability: String) -> [[UInt8]] {
      (0..<count).compactMap { number in
        panda_color_sequence(capability, Int32(number)).map {
          Self.withoutPadding(String(cString: $0))
        }
      }
    }
    let (foreground, background) = (sequences("setaf"), sequences("setab"))
    guard foreground.count == count, background.count == count else { return nil }
    return TerminalPalette(foreground: foreground, background: background, reset: reset)
  }

  package var repeatsCharacters: Bool { panda_string_capability("rep") != nil }

  /// Strips a capability of `$<5>`, the delays that printing terminals needed (terminfo(5)).
  private static func withoutPadding(_ capability: String) -> [UInt8] {
    Array(capability.replacing(/\$<[0-9.]+[*\/]*>/, with: "").utf8)
  }

  /// Takes over the screen; the terminal must be guarded.
  ///
  /// - Parameters:
  ///   - entry: the entry in the terminal database; nil for that of TERM.
  ///   - descriptor: what to draw on.
  package init(
    entry: String? = nil, on descriptor: DrawingDescriptor
  ) throws(Failure) {
    self.descriptor = descriptor
    (size, cell) = Self.measure(answered: nil)
    text = try CursesText(entry: entry, size: size)
    writer = TerminalWriter(descriptor) { [weak self] in
      self?.nextBytes() ?? []
    } onLoss: { [weak self] error in
      self?.onLoss(error)
    }
    setModes()
  }

  /// Draws a frame, in place of former ones of which the terminal has nothing yet.
  package func present(_ canvas: Canvas) {
    newest = canvas
    write()
  }

  /// Returns whether the terminal can show a picture at once, without its pixels.
  ///
  /// If not, they are sent beside other frames, and ``onShown`` follows.
  package func isAtHand(_ picture: any PreparedPicture) -> Bool {
    guard picture.layer != nil, !pictures.parts.contains(where: { $0.picture === picture }) else {
      return true
    }
    guard given !== picture else { return !pictures.transmitted.contains { $0 === picture } }
    given = picture
    pictures.transmit(picture)
    // No frame may follow, and what is asked for here can be a part of what is being written.
    Task { [weak self] in self?.write() }
    return false
  }

  /// Returns the sequence that begins kitty's keyboard protocol, or sets its flags again.
  private func keyboardModes() -> String {
    let isAgain = hasKittyKeyboard
    hasKittyKeyboard = usesKittyKeyboard
    guard usesKittyKeyboard else { return "" }
    if isAgain { return TerminalModes.keyboardAgain }
    onKeyboard()
    return TerminalModes.keyboardOn
  }

  /// Sends bytes that are not drawing, such as text for the clipboard.
  package func send(_ bytes: [UInt8]) {
    others += bytes
    write()
  }

  /// Redraws everything at the next frame.
  package func invalidate() {
    mustRedraw = true
  }

  /// Adapts to the size of the terminal's window.
  package func resize() {
    (size, cell) = measure()
    text.resize(to: size)
    invalidate()
  }

  /// Drops what the terminal has not taken, and returns it.
  package func drop() -> [UInt8] {
    defer { others = [] }
    newest = nil
    _ = pictures.forget()
    update = ScreenUpdate()
    isBusy = false
    return writer.drop() + others
  }

  /// Returns the bytes that leave the alternate screen, after what was not taken is dropped.
  ///
  /// The next frame enters it again. The keyboard is given back first, since the two screens may
  /// have separate flags.
  package func leave() -> String {
    invalidate()
    defer { hasKittyKeyboard = false }
    return (hasKittyKeyboard ? TerminalModes.keyboardOff : "")
      + String(decoding: text.leave(), as: UTF8.self)
  }

  /// Sets the terminal's modes again after the program was suspended.
  ///
  /// Also correct if the screen was not left (`kill -STOP`): leaving it only now would move the
  /// cursor back over the shell's output since then.
  package func resume() {
    setModes()
    resize()
  }

  /// Writes nothing any more, so that the terminal can be restored.
  package func end() { writer.end() }

  // MARK: Writing

  private func write() {
    isBusy = true
    writer.write()
  }

  /// Returns the next bytes for the terminal, which has taken the former ones.
  private func nextBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    if pictures.isAtBoundary, !others.isEmpty {
      update.end(&bytes)
      bytes += others
      others = []
    }
    if let canvas = newest, pictures.isAtBoundary || mustInterrupt(for: canvas) {
      newest = nil
      let isBetween = !pictures.isEmpty
      drawText(canvas, &bytes)
      // It is seen at once, rather than after more of the pictures.
      if isBetween { update.end(&bytes) }
    }
    appendPictures(&bytes)
    update.count += bytes.count
    count += bytes.count
    if pictures.isEmpty || pictures.isAtBoundary && update.count > Self.longestUpdate {
      update.end(&bytes)
    }
    if bytes.isEmpty { noteShown() }
    return bytes
  }

  private func appendPictures(_ bytes: inout [UInt8]) {
    while bytes.count < TerminalWriter.most,
      let piece = pictures.next(output, atMost: TerminalWriter.most)
    {
      guard !piece.isEmpty else { continue }
      update.beginPicture(hidingCursor: shown?.cursor != nil, &bytes)
      bytes += piece
    }
  }

  /// The bytes after which what was sent becomes visible, although more is to come.
  ///
  /// Terminals end an update by themselves after a time, wherever that is.
  private static let longestUpdate = 131_072

  /// Whether a frame does not wait until the picture that is being sent may be interrupted.
  private func mustInterrupt(for canvas: Canvas) -> Bool {
    isLost(canvas) || !pictures.isNeeded(by: canvas.pictureParts)
  }

  /// Whether nothing of the terminal's contents is worth keeping for a frame.
  private func isLost(_ canvas: Canvas) -> Bool { mustRedraw || shown?.size != canvas.size }

  /// Appends what draws a frame's text, and queues its pictures.
  private func drawText(_ canvas: Canvas, _ bytes: inout [UInt8]) {
    let isLost = isLost(canvas)
    let damage = ScreenDamage(from: isLost ? nil : shown, to: canvas)
    var isCut = false
    if isLost {
      isCut = pictures.forget()
      // ncurses will clear the screen, and some terminals clear their pictures with it.
      output?.imagesWereLost()
    }
    let hadPictures = !pictures.parts.isEmpty
    if pictures.show(canvas.pictureParts, damage) { isCut = true }
    if isCut, let output { bytes += output.ending.utf8 }
    let hasMoved = shown?.cursor != canvas.cursor || shown?.resting != canvas.resting
    shown = canvas
    mustRedraw = false
    guard isLost || !damage.isEmpty || hasMoved else { return }
    update.beginText(&bytes)
    // A program that used the terminal in the meantime may have switched them off.
    if isLost { bytes += inputModes.utf8 }
    let rows = canvas.rows.indices.filter { damage.touches(row: $0) }
    bytes += text.draw(
      rows, of: canvas, isLost: isLost, hasPictures: hadPictures || !pictures.parts.isEmpty)
    // After ncurses has entered the alternate screen, which has flags of its own.
    if isLost { bytes += keyboardModes().utf8 }
    let sequences = text.sequences(of: canvas, damage)
    if !sequences.isEmpty { bytes += "\u{1B}7".utf8 + sequences + "\u{1B}8".utf8 }
  }

  private func noteShown() {
    guard isBusy else { return }
    isBusy = false
    let taken = count
    count = 0
    onShown(taken)
  }

  // MARK: Terminal

  private func measure() -> (CellSize, PixelSize) { Self.measure(answered: answeredCell) }

  private static func measure(answered: PixelSize?) -> (CellSize, PixelSize) {
    let window = TerminalWindow(of: STDOUT_FILENO)
    let cell = PixelSize.believedCell(window: window.cell, answered: answered)
    return (window.size, cell ?? .assumedCell)
  }

  /// Sets the modes that a program on the whole screen needs, since ncurses draws into memory.
  private func setModes() {
    // On failure keys are echoed, or come line by line. Uses the descriptor that a signal handler
    // closes before it restores the modes.
    RawMode.beginScreen(on: descriptor.number)
  }
}
