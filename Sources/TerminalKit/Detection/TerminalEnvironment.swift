internal import Glibc

/// What the environment tells about the terminal.
///
/// Variables are inherited: an xterm started from a shell in kitty has kitty's. What the terminal
/// itself answers counts for more.
package struct TerminalEnvironment: Hashable, Sendable {
  private let variables: [String: String]

  /// The variables that count here.
  package static let names = [
    "TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL",
    "LC_TERMINAL_VERSION", "TMUX", "STY", "SSH_CONNECTION", "SSH_TTY", "WT_SESSION",
    "LC_ALL", "LC_CTYPE", "LANG", "COLORFGBG", "PANDA_ANSWER_SECONDS",
  ]

  /// Creates an environment; empty variables count as missing.
  package init(_ variables: [String: String]) {
    self.variables = variables.filter { Self.names.contains($0.key) && !$0.value.isEmpty }
  }

  /// The environment of this process.
  package static var current: Self {
    var variables: [String: String] = [:]
    for name in names { variables[name] = getenv(name).map { String(cString: $0) } }
    return Self(variables)
  }

  /// The value of a variable that is set and not empty.
  package subscript(name: String) -> String? { variables[name] }

  package var term: String { self["TERM"] ?? "" }

  /// A terminal that understands no control sequence.
  package var isDumb: Bool { ["", "dumb", "unknown"].contains(term) }

  /// A terminal that might print what it does not understand: the Linux console, Emacs's, and
  /// terminals of before ECMA-48's strings.
  package var understandsLittle: Bool {
    ["linux", "eterm", "vt52", "vt1", "vt2", "ansi", "cons25"].contains { term.hasPrefix($0) }
  }

  /// tmux may stand in front of the terminal.
  ///
  /// The variable TMUX does not cross ssh; TERM does.
  var mayBeTmux: Bool { self["TMUX"] != nil || term.hasPrefix("tmux") || mayBeScreen }

  /// GNU screen stands in front of the terminal, or an old tmux, which calls itself screen too.
  var mayBeScreen: Bool { self["STY"] != nil || term.hasPrefix("screen") }

  /// The program runs on another computer than the terminal.
  package var isRemote: Bool { self["SSH_CONNECTION"] != nil || self["SSH_TTY"] != nil }

  /// Colours are not wanted (no-color.org: set, and not empty).
  package var wantsNoColor: Bool { self["NO_COLOR"] != nil }

  /// How long the terminal may take to answer, as the person set it: 1 to 60 seconds.
  ///
  /// For a line so slow, or a machine so busy, that Panda would give up too early.
  package var answerPatience: Duration? {
    self["PANDA_ANSWER_SECONDS"].flatMap { Int($0) }.flatMap { seconds in
      (1...60).contains(seconds) ? .seconds(seconds) : nil
    }
  }

  /// The name of the locale that says which characters there are.
  var localeName: String { self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C" }

  /// Which terminal the environment says this is.
  ///
  /// TERM counts for most where it names one terminal alone: each terminal sets it, while the other
  /// variables may be those of the terminal that it was started from.
  package var version: TerminalVersion? {
    let named = named("TERM_PROGRAM") ?? named("LC_TERMINAL") ?? windowsTerminal
    guard let own = ownName, own.product != named?.product else { return named }
    return own
  }

  /// What a variable and the one with `_VERSION` say.
  private func named(_ variable: String) -> TerminalVersion? {
    self[variable].flatMap { name in
      let version = self[variable + "_VERSION"] ?? ""
      return TerminalVersion(answer: "\(name) \(version)".sanitized(upTo: 80))
    }
  }

  private var windowsTerminal: TerminalVersion? {
    self["WT_SESSION"] == nil
      ? nil : TerminalVersion(product: .windowsTerminal, name: "Windows Terminal")
  }

  /// What TERM says, where it is one terminal's alone.
  private var ownName: TerminalVersion? {
    switch term {
    case "xterm-kitty": TerminalVersion(product: .kitty, name: "kitty")
    case "xterm-ghostty": TerminalVersion(product: .ghostty, name: "ghostty")
    case "wezterm": TerminalVersion(product: .wezTerm, name: "WezTerm")
    case "alacritty", "alacritty-direct":
      TerminalVersion(product: .alacritty, name: "Alacritty")
    case "foot", "foot-extra", "foot-direct": TerminalVersion(product: .foot, name: "foot")
    case "mlterm", "mlterm-256color": TerminalVersion(product: .mlterm, name: "mlterm")
    default: nil
    }
  }
}
