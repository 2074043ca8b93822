package import PictureCodecs

package struct TerminalAnswers: Hashable, Sendable {
  package struct Color: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
  }

  /// The name and version (XTVERSION, or DA2 of a multiplexer).
  package var version: TerminalVersion?
  /// The primary device attributes (DA1); nil until the sentinel has come back.
  package var attributes: [Int]?
  /// Whether kitty graphics sent within the command itself are shown (`t=d`).
  package var showsKittyGraphics = false
  /// Whether kitty graphics are shown from local files (`t=f`).
  package var readsFiles = false
  /// A cell's size in pixels (`CSI 16 t`).
  package var cell: PixelSize?
  /// The color of text (OSC 10).
  package var foreground: Color?
  /// The background color (OSC 11).
  package var background: Color?
  /// Colors of the palette by their index (OSC 4).
  package var palette: [Int: Color] = [:]
  /// Whether drawing can be withheld until an update is complete (DEC mode 2026).
  package var hasSynchronizedOutput = false
  /// Whether the characters of a grapheme cluster share their cells now (mode 2027 of Contour's
  /// terminal-unicode-core).
  package var joinsClusters = false

  /// The flags of kitty's keyboard protocol, as another program left them; nil without it.
  package var keyboardFlags: Int?

  /// The largest sixel picture in pixels (XTSMGRAPHICS).
  package var largestSixel: PixelSize?
  /// Whether the terminal can report that its colors turn light or dark (mode 2031 of Contour).
  package var reportsColorScheme = false

  var isComplete: Bool { attributes != nil }
  /// Whether sixel pictures are supported: attribute 4 of the VT340.
  package var hasSixel: Bool { attributes?.contains(4) == true }

  package mutating func receive(_ reply: TerminalReply) {
    switch reply {
    case .version(let text): version = TerminalVersion(answer: text)
    case .primaryAttributes(let attributes): self.attributes = attributes
    case .secondaryAttributes(let attributes):
      version = version ?? TerminalVersion(attributes: attributes)
    case .kittyGraphics(TerminalQuestions.directImage, message: "OK"): showsKittyGraphics = true
    case .kittyGraphics(TerminalQuestions.fileImage, message: "OK"): readsFiles = true
    case .cellSize(let width, let height): cell = PixelSize(width: width, height: height)
    case .color(slot: 10, let red, let green, let blue):
      foreground = Color(red: red, green: green, blue: blue)
    case .color(slot: 11, let red, let green, let blue):
      background = Color(red: red, green: green, blue: blue)
    case .paletteColor(let index, let red, let green, let blue):
      // Nothing else was asked for; a terminal must not fill the memory.
      guard InkTheme.possibleAccents.contains(index) else { return }
      palette[index] = Color(red: red, green: green, blue: blue)
    case .mode(2026, let state):
      // 1 set, 2 reset, 3 permanently set; 4, permanently reset, is of no use, and 0 is unknown.
      hasSynchronizedOutput = (1...3).contains(state)
    case .mode(2027, let state):
      // Only where it is on already: other text needs no such mode.
      joinsClusters = state == 1 || state == 3
    case .mode(2031, let state): reportsColorScheme = (1...3).contains(state)
    case .largestSixel(let width, let height):
      // The limit of the window comes first, and the one that lasts may come after it.
      largestSixel = PixelSize(
        width: max(width, largestSixel?.width ?? 0), height: max(height, largestSixel?.height ?? 0))
    case .keyboardFlags(let flags): keyboardFlags = flags
    case .kittyGraphics, .color, .mode, .textAreaSize, .colorScheme: break
    }
  }

  /// Takes the colors of text and background from later answers.
  mutating func takeColors(of later: Self) {
    (foreground, background) = (later.foreground, later.background)
  }
}
