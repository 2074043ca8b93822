/// What the terminal sent.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Pasted text, at most 64 KB of it. It comes from outside: sanitise it before it is shown.
  case paste(String)
  /// An answer to a question of ours, in time or late. It comes from outside.
  case reply(TerminalReply)
  /// The terminal's window gained or lost the keyboard.
  case focus(Bool)
}

/// An answer of the terminal.
package enum TerminalReply: Hashable, Sendable {
  /// Primary device attributes, `CSI ? ... c`: the sentinel of a series of questions. 4 is sixel.
  case primaryAttributes([Int])
  /// Secondary device attributes, `CSI > ... c`.
  case secondaryAttributes([Int])
  /// A cell's size in pixels, `CSI 6 ; height ; width t`.
  case cellSize(width: Int, height: Int)
  /// The text area's size in pixels, `CSI 4 ; height ; width t`.
  case textAreaSize(width: Int, height: Int)
  /// A private mode's state, `CSI ? mode ; state $ y`: 0 unknown, 1 set, 2 reset, 3 and 4 for ever
  /// so.
  case mode(Int, state: Int)
  /// The terminal's name and version, `DCS > | text ST`, printable ASCII.
  case version(String)
  /// The kitty graphics protocol's answer, `APC G i=id;message ST`, the message printable ASCII.
  case kittyGraphics(id: Int?, message: String)
  /// One of the terminal's colours, `OSC slot ; rgb:r/g/b ST`: 10 is text, 11 the background.
  case color(slot: Int, red: UInt8, green: UInt8, blue: UInt8)
}
