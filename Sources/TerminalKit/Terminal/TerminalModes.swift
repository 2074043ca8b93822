package enum TerminalModes {
  /// Restores the screen at any point of the program's output.
  ///
  /// `ESC \` ends an incomplete string (a picture upload) that could swallow the rest, then: end of
  /// a synchronized update, plain colors, mouse, paste and focus reports off, cursor shown, main
  /// screen. Written inside a signal handler by `TerminalGuard`.
  package static let restore =
    "\u{1B}\\\u{1B}[?2026l\u{1B}[0m"
    + "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1004l"
    + "\u{1B}[?25h\u{1B}[?1049l"

  /// Switches on reports of mouse buttons and the wheel, with coordinates in SGR form.
  ///
  /// Motion is reported while a button is held, for dragging; 1000 is for terminals without 1002.
  package static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"

  /// Switches on bracketed paste, so that pasted text is not taken for commands.
  package static let pasteOn = "\u{1B}[?2004h"

  /// Switches on reports that the colors turn light or dark (Contour's mode 2031).
  package static let colorSchemeOn = "\u{1B}[?2031h"

  package static let colorSchemeOff = "\u{1B}[?2031l"

  /// Begins kitty's keyboard protocol on this screen, keeping the flags that it had.
  ///
  /// The flags: Esc differs from the beginning of a sequence (1), all keys are sequences (8) with
  /// the key of a Latin layout in their place (4) and the text they type (16).
  package static let keyboardOn = "\u{1B}[>29u"

  /// Sets the same flags once more, without keeping others.
  package static let keyboardAgain = "\u{1B}[=29u"

  /// Gives this screen the flags that it had before `keyboardOn`.
  ///
  /// The main screen has others, in all terminals that follow the protocol.
  package static let keyboardOff = "\u{1B}[<u"

  /// Switches on reports of the window's keyboard focus: nothing moves in a window without it.
  package static let focusOn = "\u{1B}[?1004h"
}
