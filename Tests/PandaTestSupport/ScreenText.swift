/// A screen of cells, as tmux keeps it.
public struct ScreenText: Hashable, Sendable, CustomStringConvertible {
  /// A color of a cell.
  public enum Color: Hashable, Sendable {
    case standard
    /// One of the terminal's 256 colors.
    case indexed(Int)
    case rgb(red: Int, green: Int, blue: Int)
  }

  /// One cell.
  public struct Cell: Hashable, Sendable {
    /// The character, a space where nothing was drawn, empty in the second half of a wide one.
    public var text: String
    /// The color of the character.
    public var foreground: Color
    /// The color behind it.
    public var background: Color
    /// The attributes as SGR numbers: 1 bold, 2 dim, 3 italic, 4 underlined, 7 reversed.
    public var attributes: Set<Int>

    /// Creates a cell.
    public init(
      text: String, foreground: Color = .standard, background: Color = .standard,
      attributes: Set<Int> = []
    ) {
      self.text = text
      self.foreground = foreground
      self.background = background
      self.attributes = attributes
    }

    /// A cell that nothing was drawn in.
    public static let blank = Cell(text: " ")
  }

  /// The rows of cells, all equally long.
  public let cells: [[Cell]]

  /// Reads what `capture-pane -p -e -N` printed.
  public init(capture: String, columns: Int, rows: Int) {
    var reader = CaptureReader()
    var lines = capture.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(rows).map { reader.read($0) }
    while lines.count < rows { lines.append([]) }
    cells = lines.map { line in
      Array(line.prefix(columns))
        + Array(repeating: Cell.blank, count: max(columns - line.count, 0))
    }
  }

  /// The rows as text, without the spaces at their ends.
  public var lines: [String] {
    cells.map { row in
      var line = row.map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// The screen as one text, for messages.
  public var description: String { lines.joined(separator: "\n") }

  /// Tells whether some row contains the text.
  public func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// The row and column of the first cell of the text; nil when no row contains it.
  public func position(of text: String) -> (row: Int, column: Int)? {
    for (row, cells) in cells.enumerated() {
      for column in cells.indices
      where cells[column...].lazy.map(\.text).joined().hasPrefix(text) {
        return (row, column)
      }
    }
    return nil
  }
}
