internal import CPseudoTerminal
internal import Glibc

/// Reads tmux's text with escape sequences.
///
/// They are colors and attributes (SGR) and line drawing characters between SO and SI. The
/// attributes go on from line to line.
struct CaptureReader {
  private var pen = ScreenText.Cell.blank
  private var isLineDrawing = false

  /// The locale of wcwidth, set once for the whole test program.
  private static let hasWidths = setlocale(LC_CTYPE, "C.UTF-8") != nil

  mutating func read(_ line: some StringProtocol) -> [ScreenText.Cell] {
    var cells: [ScreenText.Cell] = []
    var rest = Substring(line).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": readEscape(&rest)
      case "\u{0E}": isLineDrawing = true
      case "\u{0F}": isLineDrawing = false
      default: append(isLineDrawing ? Self.drawn(scalar) : scalar, to: &cells)
      }
    }
    return cells
  }

  private func append(_ scalar: UnicodeScalar, to cells: inout [ScreenText.Cell]) {
    let width = Self.hasWidths ? wcwidth(wchar_t(scalar.value)) : 1
    if width == 0, let last = cells.lastIndex(where: { !$0.text.isEmpty }) {
      cells[last].text.unicodeScalars.append(scalar)
      return
    }
    var cell = pen
    cell.text = String(Character(scalar))
    cells.append(cell)
    if width == 2 {
      cell.text = ""
      cells.append(cell)
    }
  }

  /// Reads past an escape sequence; of its kinds only SGR matters.
  private mutating func readEscape(_ rest: inout Substring.UnicodeScalarView) {
    switch rest.popFirst() {
    case "[":
      let body = rest.prefix { !(0x40...0x7E).contains($0.value) }
      rest = rest.dropFirst(body.count)
      if rest.popFirst() == "m" { select(Substring(body)) }
    case "]":
      // A hyperlink, up to its ST.
      while let scalar = rest.popFirst(), scalar != "\u{1B}" && scalar != "\u{7}" {}
      if rest.first == "\\" { rest.removeFirst() }
    default: break
    }
  }

  private mutating func select(_ body: Substring) {
    var numbers = body.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0.prefix { $0 != ":" }) ?? 0 }[...]
    while let number = numbers.popFirst() {
      switch number {
      case 0: pen = .blank
      case 1...9: pen.attributes.insert(number)
      case 22: pen.attributes.subtract([1, 2])
      case 23...29: pen.attributes.remove(number - 20)
      case 30...37: pen.foreground = .indexed(number - 30)
      case 38: pen.foreground = Self.color(&numbers)
      case 39: pen.foreground = .standard
      case 40...47: pen.background = .indexed(number - 40)
      case 48: pen.background = Self.color(&numbers)
      case 49: pen.background = .standard
      case 58: _ = Self.color(&numbers)
      case 90...97: pen.foreground = .indexed(number - 82)
      case 100...107: pen.background = .indexed(number - 92)
      default: break
      }
    }
  }

  private static func color(_ numbers: inout ArraySlice<Int>) -> ScreenText.Color {
    switch numbers.popFirst() {
    case 5: return .indexed(numbers.popFirst() ?? 0)
    case 2:
      return .rgb(
        red: numbers.popFirst() ?? 0, green: numbers.popFirst() ?? 0,
        blue: numbers.popFirst() ?? 0)
    default: return .standard
    }
  }

  /// The character that the DEC line drawing set shows in a letter's place.
  private static func drawn(_ scalar: UnicodeScalar) -> UnicodeScalar {
    switch scalar {
    case "q": "─"
    case "x": "│"
    case "l": "┌"
    case "k": "┐"
    case "m": "└"
    case "j": "┘"
    case "t": "├"
    case "u": "┤"
    case "w": "┬"
    case "v": "┴"
    case "n": "┼"
    case "a": "▒"
    case "`": "◆"
    case "~": "·"
    default: scalar
    }
  }
}
