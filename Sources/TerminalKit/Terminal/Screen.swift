internal import CNcurses
internal import Glibc
package import PictureCodecs

/// The terminal's screen: ncurses draws the text, and pictures are written over their guard cells.
///
/// The screen's contents are remembered, so a frame only costs the difference from the last one.
@MainActor
package final class Screen {
  /// The reasons why there is no screen.
  package enum Failure: Error, CustomStringConvertible {
    case notATerminal
    case unknownTerminal(String)
    case cannotMoveCursor(String)

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
      }
    }
  }

  /// The size in cells.
  package private(set) var size: CellSize
  /// A cell's size in pixels; 8x16 if the terminal does not report it.
  package private(set) var cell: PixelSize

  /// A cell's size in pixels from the terminal's answer.
  package var answeredCell: PixelSize? {
    didSet { (size, cell) = measure() }
  }
  /// The control strings that switch on the terminal's reports, such as the mouse.
  package var inputModes = ""
  /// Whether keys are reported by kitty's keyboard protocol.
  package var usesKittyKeyboard = false
  /// Whether the alternate screen has the flags of `TerminalModes.keyboardOn`.
  private var hasKittyKeyboard = false
  /// The text colors.
  package var theme = InkTheme(.dark) {
    didSet { if theme != oldValue { chooseColors() } }
  }
  /// The method of showing pictures; nil for none.
  package var output: (any PictureOutput)?

  /// The terminal's way of drawing emoji sequences.
  package var emojiSequences = EmojiSequences.firstEmoji

  private let takesCtrlZ: Bool
  private var shown: Canvas?
  private var shownParts: [PicturePart] = []
  private var attributes: [Ink: (attr_t, Int16)] = [:]
  private var hasStartedColors = false
  /// Set when the terminal's contents are unknown.
  private var mustRedraw = false

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

  /// Whether the terminal can repeat a character (`rep`).
  package var repeatsCharacters: Bool { panda_string_capability("rep") != nil }

  /// Strips a capability of `$<5>`, the delays that printing terminals needed (terminfo(5)).
  private static func withoutPadding(_ capability: String) -> [UInt8] {
    Array(capability.replacing(/\$<[0-9.]+[*\/]*>/, with: "").utf8)
  }

  /// Takes over the screen; the terminal must be guarded.
  ///
  /// - Parameters:
  ///   - entry: the entry in the terminal database; nil for that of TERM.
  ///   - takesCtrlZ: whether Ctrl-Z is a key and not a signal to the whole foreground.
  package init(entry: String? = nil, takesCtrlZ: Bool = false) throws(Failure) {
    self.takesCtrlZ = takesCtrlZ
    let name = entry ?? getenv("TERM").map { String(cString: $0) } ?? ""
    guard panda_newterm(entry) != nil else { throw .unknownTerminal(name.sanitized(upTo: 60)) }
    guard panda_can_move_cursor() != 0 else {
      endwin()
      throw .cannotMoveCursor(name.sanitized(upTo: 60))
    }
    hasAllLines = !["linux", "screen.linux", "vt", "cons", "ansi"].contains {
      name.hasPrefix($0)
    }
    (size, cell) = Self.measure(answered: nil)
    cbreak()
    noecho()
    nonl()
    curs_set(0)
    let window = panda_stdscr()
    // Scrolling cells on the screen would also move the pictures' cells.
    idcok(window, false)
    idlok(window, false)
    leaveok(window, true)
    setModes()
    chooseColors()
    resizeterm(Int32(size.rows), Int32(size.columns))
  }

  /// Draws a frame.
  ///
  /// - Throws: ``TerminalError`` if the terminal is gone or accepts no output.
  package func present(_ canvas: Canvas) throws(TerminalError) {
    let all = mustRedraw || shown?.size != canvas.size
    let damage = ScreenDamage(from: all ? nil : shown, to: canvas)
    let parts = canvas.pictureParts
    if all {
      // ncurses will clear the screen, and some terminals clear their pictures with it.
      output?.imagesWereLost()
      shownParts = []
    }
    let pictures = pictureBytes(parts, damage) + sequenceBytes(of: canvas, damage)
    guard !damage.isEmpty || !pictures.isEmpty else { return }
    // One synchronized update around both, so that no terminal shows the text without the picture.
    try TerminalGuard.write(Array("\u{1B}[?2026h".utf8), to: STDOUT_FILENO)
    if all {
      // A program that used the terminal in the meantime may have switched them off.
      try TerminalGuard.write(Array(inputModes.utf8), to: STDOUT_FILENO)
      clearok(panda_curscr(), true)
    }
    let rows = canvas.rows.indices.filter { damage.touches(row: $0) }
    update(rows, of: canvas, hasPictures: !parts.isEmpty || !shownParts.isEmpty)
    var bytes: [UInt8] = []
    if !pictures.isEmpty { bytes = Array("\u{1B}7".utf8) + pictures + Array("\u{1B}8".utf8) }
    // After ncurses has entered the alternate screen, which has flags of its own.
    if all { bytes += keyboardModes().utf8 }
    bytes += "\u{1B}[?2026l".utf8
    try TerminalGuard.write(bytes, to: STDOUT_FILENO)
    shown = canvas
    shownParts = parts
    mustRedraw = false
  }

  /// Returns the sequence that begins kitty's keyboard protocol, or sets its flags again.
  private func keyboardModes() -> String {
    defer { hasKittyKeyboard = usesKittyKeyboard }
    guard usesKittyKeyboard else { return "" }
    return hasKittyKeyboard ? TerminalModes.keyboardAgain : TerminalModes.keyboardOn
  }

  /// Sends bytes that are not drawing, such as text for the clipboard.
  ///
  /// - Throws: ``TerminalError`` if the terminal is gone or accepts no output.
  package func send(_ bytes: [UInt8]) throws(TerminalError) {
    try TerminalGuard.write(bytes, to: STDOUT_FILENO)
  }

  /// Redraws everything at the next frame.
  package func invalidate() {
    mustRedraw = true
  }

  /// Adapts to the size of the terminal's window.
  package func resize() {
    (size, cell) = measure()
    resizeterm(Int32(size.rows), Int32(size.columns))
    invalidate()
  }

  /// Leaves the alternate screen before the program is suspended; the next frame enters it again.
  ///
  /// Its pictures are freed first, and its keyboard is given back: the two screens may have
  /// separate images and flags.
  package func leave() {
    let last = (output?.cleanup ?? "") + (hasKittyKeyboard ? TerminalModes.keyboardOff : "")
    hasKittyKeyboard = false
    if !last.isEmpty {
      // A terminal that accepts no output has no images to free.
      try? TerminalGuard.write(Array(last.utf8), to: STDOUT_FILENO)  // see above
    }
    TerminalGuard.withTicks { endwin() }
  }

  /// Sets the terminal's modes again after the program was suspended.
  ///
  /// Also correct if the screen was not left (`kill -STOP`): leaving it only now would move the
  /// cursor back over the shell's output since then.
  package func resume() {
    reset_prog_mode()
    setModes()
    curs_set(0)
    resize()
  }

  // MARK: Text

  /// Whether the terminal's font has round corners and heavy lines; consoles have few characters.
  private let hasAllLines: Bool

  /// The lines that stand for those that consoles lack.
  private static let plainLines: [UnicodeScalar: UnicodeScalar] = [
    "╭": "┌", "╮": "┐", "╰": "└", "╯": "┘",
    "┏": "┌", "┓": "┐", "┗": "└", "┛": "┘", "━": "─", "┃": "│",
  ]

  /// Draws rows of text.
  ///
  /// Where lines moved, ncurses scrolls the screen, with `idlok` off too: that is only about
  /// inserting and deleting lines. The terminal would move the pictures on them as well, and nobody
  /// would know. But it scrolls no fewer than three lines (6.4, `_nc_hash_map`), so beside pictures
  /// it is asked for two at a time.
  private func update(_ rows: [Int], of canvas: Canvas, hasPictures: Bool) {
    var rest = rows[...]
    repeat {
      let next = hasPictures ? rest.prefix(2) : rest
      for row in next { write(canvas.rows[row], row) }
      wnoutrefresh(panda_stdscr())
      TerminalGuard.withTicks { doupdate() }
      rest = rest.dropFirst(next.count)
    } while !rest.isEmpty
  }

  private func write(_ cells: [Canvas.Cell], _ row: Int) {
    let window = panda_stdscr()
    wmove(window, Int32(row), 0)
    var column = 0
    while column < cells.count {
      let ink = cells[column].ink
      var text: [wchar_t] = []
      while column < cells.count, cells[column].ink == ink {
        text += guarded(cells[column]).unicodeScalars.map { scalar in
          let drawn = hasAllLines ? scalar : Self.plainLines[scalar] ?? scalar
          return wchar_t(truncatingIfNeeded: drawn.value)
        }
        column += 1
      }
      let (attribute, pair) = attributes[ink] ?? (0, 0)
      panda_set_attributes(window, attribute, pair)
      // For the last cell of the screen this reports an error although it was drawn.
      waddnwstr(window, text, Int32(text.count))
    }
  }

  /// Returns the text that ncurses writes into a cell, two columns of it for a wide one.
  private func guarded(_ cell: Canvas.Cell) -> String {
    // In a locale without the no-break space, use a character unlikely to count as blank.
    if cell == .underPicture { return localeShowsUnicode ? cell.text : "." }
    guard cell.isEmojiSequence else { return cell.text }
    // Figure spaces, since ncurses holds one wide character in a cell: it neither clears them as it
    // does with blanks, nor takes them for the cell of a picture.
    return emojiSequences == .firstEmoji ? cell.text.drawable : "\u{2007}\u{2007}"
  }

  /// Returns bytes that draw emoji sequences where ncurses may have written their guard cells.
  private func sequenceBytes(of canvas: Canvas, _ damage: ScreenDamage) -> [UInt8] {
    guard emojiSequences != .firstEmoji else { return [] }
    var bytes: [UInt8] = []
    for (row, cells) in canvas.rows.enumerated() where damage.touches(row: row) {
      for (column, cell) in cells.enumerated()
      where cell.isEmojiSequence && damage.touches(column..<column + 2, row: row) {
        bytes += "\u{1B}[\(row + 1);\(column + 1)H\(rendition(of: cell.ink))".utf8
        bytes += emojiSequences.bytes(cell.text)
      }
    }
    return bytes
  }

  /// Returns the control sequence that sets the color and the attributes of an ink (SGR).
  private func rendition(of ink: Ink) -> String {
    let attributes = attributes[ink]?.0 ?? 0
    var codes = ["0"]
    if attributes & panda_attribute_bold() != 0 { codes.append("1") }
    if attributes & panda_attribute_dim() != 0 { codes.append("2") }
    if attributes & panda_attribute_reverse() != 0 { codes.append("7") }
    if hasStartedColors, theme.ground != .mono,
      let color = theme.color(of: ink, of: Int(panda_colors()))
    {
      codes.append("38;5;\(color.number)")
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  private func chooseColors() {
    mustRedraw = true
    guard theme.ground != .mono, has_colors() else {
      attributes = InkTheme.monochrome
      return
    }
    if !hasStartedColors {
      hasStartedColors = true
      start_color()
      use_default_colors()
    }
    for (index, ink) in Ink.allCases.enumerated() {
      guard let color = theme.color(of: ink, of: Int(panda_colors())) else { continue }
      let pair = Int16(index + 1)
      init_pair(pair, color.number, -1)
      attributes[ink] = (color.attributes, pair)
    }
  }

  // MARK: Pictures

  /// Returns bytes that erase the hidden parts and draw what is missing.
  private func pictureBytes(_ parts: [PicturePart], _ damage: ScreenDamage) -> [UInt8] {
    var bytes: [UInt8] = []
    output?.beginFrame(into: &bytes)
    for part in shownParts where !parts.contains(part) {
      part.picture.erase(part.cells, at: part.point, into: &bytes)
    }
    for part in parts {
      for cells in part.cells(missingFrom: shownParts, damage) {
        let point = CellPoint(
          column: part.point.column + cells.column - part.cells.column,
          row: part.point.row + cells.row - part.cells.row)
        part.picture.draw(cells, at: point, into: &bytes)
      }
    }
    return bytes
  }

  // MARK: Terminal

  private func measure() -> (CellSize, PixelSize) { Self.measure(answered: answeredCell) }

  private static func measure(answered: PixelSize?) -> (CellSize, PixelSize) {
    let window = TerminalWindow(of: STDOUT_FILENO)
    let cell = PixelSize.believedCell(window: window.cell, answered: answered)
    return (window.size, cell ?? .assumedCell)
  }

  private func setModes() {
    var modes = termios()
    // On failure the terminal keeps ncurses's modes: only Ctrl-S and Ctrl-Z would differ. Uses
    // standard output, which a signal handler closes before it restores the modes.
    guard tcgetattr(STDOUT_FILENO, &modes) == 0 else { return }
    // Ctrl-S must not freeze the screen: users would not know why.
    modes.c_iflag &= ~tcflag_t(IXON)
    if takesCtrlZ {
      // 0 is _POSIX_VDISABLE.
      withUnsafeMutableBytes(of: &modes.c_cc) { $0[Int(VSUSP)] = 0 }
    }
    tcsetattr(STDOUT_FILENO, TCSADRAIN, &modes)
    def_prog_mode()
  }
}
