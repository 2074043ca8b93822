internal import FoundationEssentials

/// The questions for a terminal, as bytes.
///
/// DA1 always comes last: every terminal answers it, and answers come in order, so a question still
/// unanswered by then stays unanswered.
package enum TerminalQuestions {
  /// The image id of the question whether pictures may be sent within the command.
  static let directImage = 31
  /// The image id of the question whether pictures may be sent as a file.
  static let fileImage = 32

  private static let version = "\u{1B}[>q"
  /// DA2, which GNU screen answers with its version.
  private static let attributes = "\u{1B}[>c"
  private static let sentinel = OwedAnswers.sentinel

  /// Asks for the colors that may be the accent (xterm's ctlseqs, OSC 4).
  ///
  /// One by one, since not every terminal answers a list.
  private static let palette = InkTheme.possibleAccents.map { "\u{1B}]4;\($0);?\u{1B}\\" }.joined()

  /// Asks for the colors of text and background (xterm's ctlseqs, OSC 10 and 11).
  private static let ground = "\u{1B}]10;?\u{1B}\\\u{1B}]11;?\u{1B}\\"

  /// Asks for the largest sixel picture, now and ever (xterm's ctlseqs, XTSMGRAPHICS).
  ///
  /// xterm's limit now is its window, or the other one if that is smaller. Only the other one stays
  /// as the window changes, but some terminals may not know it.
  private static let sixel = "\u{1B}[?2;1;0S\u{1B}[?2;4;0S"

  /// Asks for the modes: synchronized output, clusters of characters, reports of the colors.
  private static let modes = "\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?2031$p"

  /// Asks for a cell's size in pixels.
  private static let cell = "\u{1B}[16t"

  /// Asks for the flags of the keyboard (sw.kovidgoyal.net/kitty/keyboard-protocol).
  private static let keyboard = "\u{1B}[?u"

  /// Asks for the terminal's identity; tmux and GNU screen pass none of it on.
  static let identity = version + attributes + sentinel

  /// Asks for the colors of text and background; tmux answers for itself.
  static let colors = ground + sentinel

  /// Returns all questions, for a terminal without a multiplexer.
  ///
  /// - Parameters:
  ///   - asksForGraphics: false for tmux 3.3a and screen, which would turn the kitty question into
  ///     the window's title, and for Apple's Terminal, which would print it. The keyboard is not
  ///     asked for there either.
  ///   - file: a one-pixel RGB file for the question whether the terminal reads files.
  package static func all(asksForGraphics: Bool, file: String?) -> String {
    series(asksForGraphics, file: file, last: asksForGraphics ? keyboard : "")
  }

  /// Returns the questions for a running program: all but that for the flags of the keyboard.
  ///
  /// Those are the program's own by then.
  static func again(asksForGraphics: Bool) -> String { series(asksForGraphics, file: nil) }

  private static func series(
    _ asksForGraphics: Bool, file: String?, last: String = ""
  ) -> String {
    version + (asksForGraphics ? kitty(file: file) + sixel : "") + cell + ground + palette + modes
      + last + sentinel
  }

  /// DA1 alone, which the Linux console and old terminals understand, and multiplexers answer.
  static let harmless = sentinel

  /// Asks with `a=q`, which neither shows nor stores anything
  /// (sw.kovidgoyal.net/kitty/graphics-protocol, "Querying support").
  private static func kitty(file: String?) -> String {
    // Three bytes of black, AAAA in base 64: one pixel in RGB (f=24).
    var text = "\u{1B}_Gi=\(directImage),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    if let file {
      let path = Data(file.utf8).base64EncodedString()
      text += "\u{1B}_Gi=\(fileImage),s=1,v=1,a=q,t=f,f=24;\(path)\u{1B}\\"
    }
    return text
  }

  /// Wraps a text for tmux's passthrough.
  ///
  /// tmux forwards the contents of `DCS tmux; ... ST`, with every Esc doubled, if its option
  /// allow-passthrough is on (tmux(1)).
  package static func wrappedForTmux(_ text: String) -> String {
    var wrapped = "\u{1B}Ptmux;"
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" { wrapped.unicodeScalars.append(scalar) }
      wrapped.unicodeScalars.append(scalar)
    }
    return wrapped + "\u{1B}\\"
  }
}
