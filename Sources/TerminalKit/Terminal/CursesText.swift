internal import CNcurses
internal import Glibc

/// The text of the screen, drawn by ncurses into memory.
///
/// ncurses remembers what the terminal shows, and returns the bytes of the difference. It never
/// writes to the terminal itself, which could take as long as that likes.
@MainActor
final class CursesText {
  var theme = InkTheme(.dark) {
    didSet { if theme != oldValue { chooseColors() } }
  }
  var emojiSequences = EmojiSequences.firstEmoji

  /// The file in memory that ncurses draws into.
  private let file: UnsafeMutablePointer<FILE>
  private var attributes: [Ink: (attr_t, Int16)] = [:]
  private var hasStartedColors = false
  /// Whether the terminal's font has round corners and heavy lines; consoles have few characters.
  private let hasAllLines: Bool

  /// Starts ncurses.
  ///
  /// - Parameters:
  ///   - entry: the entry in the terminal database; nil for that of TERM.
  ///   - size: the size of the terminal, which ncurses cannot ask a file for.
  init(entry: String?, size: CellSize) throws(Screen.Failure) {
    let name = entry ?? getenv("TERM").map { String(cString: $0) } ?? ""
    guard let file = panda_memory_file() else { throw .noMemory(errno) }
    self.file = file
    guard panda_newterm(entry, file) != nil else {
      fclose(file)
      throw .unknownTerminal(name.sanitized(upTo: 60))
    }
    hasAllLines = !["linux", "screen.linux", "vt", "cons", "ansi"].contains {
      name.hasPrefix($0)
    }
    guard panda_can_move_cursor() != 0 else {
      endwin()
      throw .cannotMoveCursor(name.sanitized(upTo: 60))
    }
    // All of a frame is drawn, although keys wait to be read.
    typeahead(-1)
    let window = panda_stdscr()
    // Scrolling cells on the screen would also move the pictures' cells.
    idcok(window, false)
    idlok(window, false)
    // What it has drawn is for a terminal of 24 lines, such as the region that scrolls: it starts
    // anew, before it has colors that it would reset.
    resize(to: size)
    _ = leave()
    doupdate()
    placeCursor(nil, isShown: false)
    chooseColors()
  }

  func resize(to size: CellSize) { resizeterm(Int32(size.rows), Int32(size.columns)) }

  /// Returns the bytes that leave the alternate screen; the next text enters it again.
  func leave() -> [UInt8] {
    endwin()
    return taken()
  }

  /// Returns the bytes that draw some rows of a frame.
  ///
  /// Where lines moved, ncurses scrolls the screen, with `idlok` off too: that is only about
  /// inserting and deleting lines. The terminal would move the pictures on them as well, and nobody
  /// would know. But it scrolls no fewer than three lines (6.4, `_nc_hash_map`), so beside pictures
  /// it is asked for two at a time.
  ///
  /// - Parameters:
  ///   - isLost: whether nothing is known about what the terminal shows.
  ///   - hasPictures: whether there are pictures beside the text.
  func draw(_ rows: [Int], of canvas: Canvas, isLost: Bool, hasPictures: Bool) -> [UInt8] {
    if isLost { clearok(panda_curscr(), true) }
    placeCursor(nil, isShown: false)
    var rest = rows[...]
    repeat {
      let next = hasPictures ? rest.prefix(2) : rest
      for row in next { write(canvas.rows[row], row) }
      wnoutrefresh(panda_stdscr())
      doupdate()
      rest = rest.dropFirst(next.count)
    } while !rest.isEmpty
    placeCursor(canvas.cursor ?? canvas.resting, isShown: canvas.cursor != nil)
    return taken()
  }

  /// Returns what ncurses has drawn since the last time.
  private func taken() -> [UInt8] {
    let descriptor = fileno(file)
    let count = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
    lseek(descriptor, 0, SEEK_SET)
    ftruncate(descriptor, 0)
    return bytes
  }

  /// Moves the terminal's cursor to a cell, or leaves it where it is.
  private func placeCursor(_ point: CellPoint?, isShown: Bool) {
    let window = panda_stdscr()
    leaveok(window, point == nil)
    if !isShown { curs_set(0) }
    guard let point else { return }
    wmove(window, Int32(point.row), Int32(point.column))
    wnoutrefresh(window)
    doupdate()
    if isShown { curs_set(1) }
  }

  /// The lines that stand for those that consoles lack.
  private static let plainLines: [UnicodeScalar: UnicodeScalar] = [
    "╭": "┌", "╮": "┐", "╰": "└", "╯": "┘",
    "┏": "┌", "┓": "┐", "┗": "└", "┛": "┘", "━": "─", "┃": "│",
  ]

  // MARK: Cells

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
  func sequences(of canvas: Canvas, _ damage: ScreenDamage) -> [UInt8] {
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
}
