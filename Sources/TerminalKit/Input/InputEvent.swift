package enum InputEvent: Hashable, Sendable {
  /// A key press.
  ///
  /// `base` is the key of a Latin layout in the same place, if the character is of another script
  /// and the terminal tells. It means the command, and the character is what is typed.
  case key(Key, base: Key? = nil)
  case mouse(MouseEvent)
  /// Pasted text, at most 64 KB; untrusted, so sanitize it before displaying it.
  case paste(String)
  /// An answer to one of our questions, in time or late; untrusted.
  case reply(TerminalReply)
  /// The terminal's window gained or lost the keyboard focus.
  case focus(Bool)
}

package enum TerminalReply: Hashable, Sendable {
  /// Primary device attributes, `CSI ? ... c`: the sentinel of a series of questions. 4 is sixel.
  case primaryAttributes([Int])
  /// Secondary device attributes, `CSI > ... c`.
  case secondaryAttributes([Int])
  /// A cell's size in pixels, `CSI 6 ; height ; width t`.
  case cellSize(width: Int, height: Int)
  /// The text area's size in pixels, `CSI 4 ; height ; width t`.
  case textAreaSize(width: Int, height: Int)
  /// A private mode's state, `CSI ? mode ; state $ y`.
  ///
  /// 0 is unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
  case mode(Int, state: Int)
  /// The largest sixel picture in pixels, `CSI ? 2 ; 0 ; width ; height S`.
  case largestSixel(width: Int, height: Int)
  /// The colors have turned dark or light, `CSI ? 997 ; 1 n` or `CSI ? 997 ; 2 n`.
  case colorScheme(isDark: Bool)
  /// The flags of kitty's keyboard protocol, `CSI ? flags u`.
  case keyboardFlags(Int)
  /// The terminal's name and version, `DCS > | text ST`, printable ASCII.
  case version(String)
  /// The kitty graphics protocol's answer, `APC G i=id;message ST`; the message is printable ASCII.
  case kittyGraphics(id: Int?, message: String)
  /// One of the terminal's colors, `OSC slot ; rgb:r/g/b ST`: 10 is text, 11 the background.
  case color(slot: Int, red: UInt8, green: UInt8, blue: UInt8)
  /// A color of the palette, `OSC 4 ; index ; rgb:r/g/b ST`.
  case paletteColor(index: Int, red: UInt8, green: UInt8, blue: UInt8)
}
