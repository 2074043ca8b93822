package import PictureCodecs

/// What a terminal answered when it was asked.
package struct TerminalAnswers: Hashable, Sendable {
  /// A colour of the terminal.
  package struct Color: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
  }

  /// Its name and version (XTVERSION).
  package var version: TerminalVersion?
  /// Its primary device attributes (DA1); nil as long as the sentinel has not come back.
  package var attributes: [Int]?
  /// It shows kitty graphics sent with the command itself (`t=d`).
  package var showsKittyGraphics = false
  /// It shows kitty graphics from files of this computer (`t=f`).
  package var readsFiles = false
  /// A cell's size in pixels (`CSI 16 t`).
  package var cell: PixelSize?
  /// Its background (OSC 11).
  package var background: Color?
  /// It can hold back drawing until an update is whole (DEC mode 2026).
  package var hasSynchronizedOutput = false

  /// It has answered all that it is going to answer.
  var isComplete: Bool { attributes != nil }
  /// It says that it shows sixel pictures: the attribute 4 of the VT340.
  package var hasSixel: Bool { attributes?.contains(4) == true }

  /// Takes one answer.
  package mutating func take(_ reply: TerminalReply) {
    switch reply {
    case .version(let text): version = TerminalVersion(answer: text)
    case .primaryAttributes(let attributes): self.attributes = attributes
    case .kittyGraphics(TerminalQuestions.directImage, message: "OK"): showsKittyGraphics = true
    case .kittyGraphics(TerminalQuestions.fileImage, message: "OK"): readsFiles = true
    case .cellSize(let width, let height): cell = PixelSize(width: width, height: height)
    case .color(slot: 11, let red, let green, let blue):
      background = Color(red: red, green: green, blue: blue)
    case .mode(2026, let state):
      // 1 set, 2 reset, 3 set for ever; 4, reset for ever, is of no use, 0 is unknown.
      hasSynchronizedOutput = (1...3).contains(state)
    case .kittyGraphics, .color, .mode, .secondaryAttributes, .textAreaSize: break
    }
  }
}
