internal import FoundationEssentials

/// The questions that a terminal is asked, as bytes.
///
/// The last one is always DA1: every terminal answers it, and answers in order, so what has not
/// been answered before it never will be.
package enum TerminalQuestions {
  /// The image id of the question whether pictures may come with the command.
  static let directImage = 31
  /// The image id of the question whether pictures may come in a file.
  static let fileImage = 32

  private static let version = "\u{1B}[>q"
  private static let sentinel = "\u{1B}[c"

  /// Who are you: safe in tmux and screen.
  static let identity = version + sentinel

  /// All the questions, for a terminal that nothing stands in front of.
  ///
  /// - Parameters:
  ///   - asksForKitty: tmux 3.3a and screen would make the kitty question the window's title, and
  ///     Apple's Terminal would print it.
  ///   - file: a file with one pixel in RGB, for the question whether the terminal reads files.
  package static func all(asksForKitty: Bool, file: String?) -> String {
    version + (asksForKitty ? kitty(file: file) : "") + "\u{1B}[16t" + "\u{1B}]11;?\u{1B}\\"
      + "\u{1B}[?2026$p" + sentinel
  }

  /// Who is the terminal that tmux runs in, and what is its background.
  ///
  /// It may be another tmux, so the question for kitty graphics comes later.
  static let identityThroughTmux = wrappedForTmux(
    version + "\u{1B}]11;?\u{1B}\\" + sentinel)

  /// The question for kitty graphics, for a terminal of that kind that tmux runs in.
  static func kittyThroughTmux(file: String?) -> String {
    wrappedForTmux(kitty(file: file) + sentinel)
  }

  /// Only DA1: what the Linux console and old terminals understand.
  static let harmless = sentinel

  /// Asks with `a=q`, which shows and keeps nothing
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

  /// tmux hands on what stands in `DCS tmux; ... ST` with every Esc doubled, if its option
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
