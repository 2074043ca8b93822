package import TerminalKit

/// What real terminals answer, byte for byte.
///
/// xterm 379 (as it is, and as a VT340), kitty 0.26.5, Konsole 22.12.3, tmux 3.3a and screen 4.9
/// were recorded on Debian 12; the others are written after their documentation.
package enum RealTerminals {
  package static let xterm =
    "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;0$y"
    + "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c"
  package static let xtermSixel =
    "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;0$y"
    + "\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
  package static let kitty026 = kitty("0.26.5")
  package static let kitty041 = kitty("0.41.1")
  package static let tmux = "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c"
  /// A tmux built with sixel.
  package static let tmuxSixel = "\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?1;2;4c"
  package static let screen49 = "\u{1B}[>83;40900;0c\u{1B}[?1;2c"
  package static let screen5 = "\u{1B}[>83;50001;0c\u{1B}[?1;2c"
  package static let ghostty =
    "\u{1B}P>|ghostty 1.0.1\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[6;34;16t"
    + "\u{1B}]11;rgb:28/2c/34\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c"
  package static let konsole =
    "\u{1B}P>|Konsole 22.12.3\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;ENOTSUPPORTED:\u{1B}\\"
    + "\u{1B}[6;17;8t\u{1B}]11;rgb:2323/2626/2727\u{1B}\\\u{1B}[?62;1;4c"
  package static let foot =
    "\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[6;17;8t\u{1B}]11;rgb:2424/2424/2424\u{1B}\\"
    + "\u{1B}[?2026;2$y\u{1B}[?62;4;22c"
  package static let wezTerm =
    "\u{1B}P>|WezTerm 20240203-110809-5046fc22\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\"
    + "\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}]11;rgb:0000/0000/0000\u{1B}\\"
    + "\u{1B}[?2026;2$y\u{1B}[?65;4;6;18;22c"
  package static let iTerm2 =
    "\u{1B}P>|iTerm2 3.5.10\u{1B}\\\u{1B}[6;17;7t\u{1B}]11;rgb:1515/1919/1e1e\u{7}"
    + "\u{1B}[?2026;2$y\u{1B}[?64;1;2;4;6;17;18;21;22c"
  package static let mintty =
    "\u{1B}P>|mintty 3.7.0\u{1B}\\\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y"
    + "\u{1B}[?64;1;2;4;6;9;15;21;22;28;29c"
  package static let vsCode =
    "\u{1B}P>|xterm.js(5.6.0-beta.98)\u{1B}\\\u{1B}]11;rgb:1f1f/1f1f/1f1f\u{1B}\\"
    + "\u{1B}[?2026;0$y\u{1B}[?62;4;9;22c"
  package static let vsCodeWithoutImages =
    "\u{1B}P>|xterm.js(5.6.0-beta.98)\u{1B}\\\u{1B}]11;rgb:1f1f/1f1f/1f1f\u{1B}\\\u{1B}[?1;2c"
  package static let vte =
    "\u{1B}P>|VTE(7402)\u{1B}\\\u{1B}]11;rgb:1717/1414/2121\u{1B}\\\u{1B}[?2026;2$y"
    + "\u{1B}[?65;1;9c"
  package static let windowsTerminal = "\u{1B}[6;20;10t\u{1B}[?61;4;6;7;14;21;22;23;24;28;32;42c"
  package static let linuxConsole = "\u{1B}[?6c"
  package static let silent = ""

  /// The answers of all that answer.
  package static let all = [
    xterm, xtermSixel, kitty026, kitty041, tmux, tmuxSixel, ghostty, konsole, foot, wezTerm,
    iTerm2, mintty, vsCode, vsCodeWithoutImages, vte, windowsTerminal, linuxConsole,
  ]

  private static func kitty(_ version: String) -> String {
    "\u{1B}P>|kitty(\(version))\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\"
      + "\u{1B}[6;15;7t\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;c"
  }

  /// The environment of a program in tmux.
  package static let inTmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"]

  /// What tmux says of the terminal that it runs in.
  package static func surroundings(
    _ version: String, passthrough: Bool = true, features: String = "title",
    term: String = "xterm-256color", client: String = "7"
  ) -> TmuxSurroundings? {
    let line = "\(client) \(term) \(features) 8x16 \(passthrough ? 1 : 0) \(version)\n"
    return TmuxSurroundings(answer: Array(line.utf8))
  }

  /// What is made of an answer.
  package static func answers(_ bytes: String) -> TerminalAnswers {
    var probe = TerminalProbe()
    probe.beginQuestions()
    probe.read(bytes.utf8)
    return probe.answers
  }

  /// The profile of a terminal that gave an answer.
  package static func profile(
    _ bytes: String, _ variables: [String: String] = ["TERM": "xterm-256color"],
    tmux: TmuxSurroundings? = nil, declaredColors: Int? = 256, isUnicode: Bool = true
  ) -> TerminalProfile {
    let environment = TerminalEnvironment(variables)
    var profile = TerminalProfile(environment: environment, isUnicode: isUnicode)
    profile.answers = answers(bytes)
    profile.surroundings = tmux
    profile.declaredColors = declaredColors
    profile.wasAsked = !environment.isDumb
    profile.timeTaken = .milliseconds(3)
    profile.multiplexer = TerminalDetection.multiplexer(environment, profile.answers)
    return profile
  }
}
