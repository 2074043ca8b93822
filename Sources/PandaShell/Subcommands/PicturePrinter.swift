internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// Prints pictures at the cursor, as the terminal or the reader of a pipe understands them.
@MainActor
struct PicturePrinter {
  let session: Session
  /// The most cells; nil means the size of the terminal.
  var size: CellSize?
  /// The lines to print below the picture; a terminal keeps the rows for them.
  var linesBelow: [String] = []
  /// Whether an animation is played in a terminal, until a key is pressed.
  var plays = false

  /// Prints the picture in a file's bytes, decoded as large as is useful.
  ///
  /// - Parameter name: stands for the picture where none can be shown.
  /// - Returns: what is wrong with it, such as "is damaged; this is what is left"; nil for nothing.
  /// - Throws: ``PictureError``, or `TerminalError` if the output cannot be written.
  func print(_ data: Data, name: String) async throws -> String? {
    let header = try PictureDecoder.header(of: data)
    let pixels = header.wholeSize
    let words = "\(name): \(header.format.name), \(pixels.width)x\(pixels.height)"
    let terminal = ShowTerminal(session)
    defer { terminal.close() }
    if terminal.choice.lacksLibrary {
      session.output.fail(CommandFailure(terminal.choice.reason, .done))
    }
    guard let output = terminal.output else {
      let line = Output.printed(words, onTerminal: isatty(STDOUT_FILENO) == 1)
      try terminal.print(Array("\(line)\n".utf8))
      return nil
    }
    let size = room(terminal).fitting(pixels, cell: terminal.cell)
    let cell = output.pixelsPerCell(terminal.cell)
    let target = PixelSize(width: size.columns * cell.width, height: size.rows * cell.height)
    let decoded = try await PictureDecoder().decode(data, covering: target)
    if let issue = decoded.colorIssue { session.log.notice(.pictures, "\(words): \(issue)") }
    let picture = output.prepare(
      decoded.bitmap, encoded: decoded.isAsStored ? data : nil, filling: size, cell: terminal.cell)
    try terminal.print(picture.printed)
    if plays, !session.configuration.reduceMotion {
      try await ShowPlayer(terminal: terminal, size: size).play(data)
    }
    if decoded.isThumbnail { return "is too large to decode; this is its thumbnail" }
    return decoded.isIncomplete ? "is damaged; this is what is left" : nil
  }

  /// Returns how many cells may be used.
  ///
  /// At most the size of the terminal: a larger picture would scroll while it is drawn.
  private func room(_ terminal: ShowTerminal) -> CellSize {
    let rowsBelow = linesBelow.map { max(0, $0.columns - 1) / terminal.room.columns + 1 }
    let room = CellSize(
      columns: terminal.room.columns,
      rows: max(1, terminal.room.rows - rowsBelow.reduce(0, +)))
    guard let size else { return room }
    guard isatty(STDOUT_FILENO) == 1, !terminal.path.isText else { return size }
    return CellSize(columns: min(size.columns, room.columns), rows: min(size.rows, room.rows))
  }
}

extension PictureMethod {
  /// Whether it consists of lines of characters.
  fileprivate var isText: Bool {
    switch self {
    case .symbols, .none: true
    case .kittyPlaceholders, .kittyPlacement, .sixel, .iterm2: false
    }
  }
}
