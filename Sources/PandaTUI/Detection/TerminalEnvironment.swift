internal import Glibc

/// What the environment tells about the terminal.
///
/// Variables are inherited: an xterm started from a shell in kitty has kitty's. What the terminal
/// itself answers counts for more.
struct TerminalEnvironment: Hashable, Sendable {
  private let variables: [String: String]

  /// The variables that count here.
  static let names = [
    "TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL",
    "LC_TERMINAL_VERSION", "TMUX", "STY", "SSH_CONNECTION", "SSH_TTY", "WT_SESSION",
    "LC_ALL", "LC_CTYPE", "LANG",
  ]

  /// Creates an environment; empty variables count as missing.
  init(_ variables: [String: String]) {
    self.variables = variables.filter { Self.names.contains($0.key) && !$0.value.isEmpty }
  }

  /// The environment of this process.
  static var current: Self {
    var variables: [String: String] = [:]
    for name in names { variables[name] = getenv(name).map { String(cString: $0) } }
    return Self(variables)
  }

  /// The value of a variable that is set and not empty.
  subscript(name: String) -> String? { variables[name] }

  var term: String { self["TERM"] ?? "" }

  /// A terminal that understands no control sequence.
  var isDumb: Bool { ["", "dumb", "unknown"].contains(term) }

  /// A terminal that might print what it does not understand: the Linux console, and terminals of
  /// before ECMA-48's strings.
  var understandsLittle: Bool {
    term.hasPrefix("linux") || term.hasPrefix("vt1") || term.hasPrefix("vt2")
      || term.hasPrefix("vt52") || term.hasPrefix("cons25")
  }

  /// tmux may stand in front of the terminal.
  ///
  /// The variable TMUX does not cross ssh; TERM does.
  var mayBeTmux: Bool { self["TMUX"] != nil || term.hasPrefix("tmux") || mayBeScreen }

  /// GNU screen stands in front of the terminal, or an old tmux, which calls itself screen too.
  var mayBeScreen: Bool { self["STY"] != nil || term.hasPrefix("screen") }

  /// The program runs on another computer than the terminal.
  var isRemote: Bool { self["SSH_CONNECTION"] != nil || self["SSH_TTY"] != nil }

  /// Colours are not wanted (no-color.org: set, and not empty).
  var wantsNoColor: Bool { self["NO_COLOR"] != nil }

  /// The name of the locale that says which characters there are.
  var localeName: String { self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C" }

  /// Which terminal the environment says this is.
  var version: TerminalVersion? {
    if let name = self["TERM_PROGRAM"] {
      let version = TerminalVersion(
        answer: "\(name) \(self["TERM_PROGRAM_VERSION"] ?? "")".sanitized(upTo: 80))
      // Inside tmux the variable is tmux's own; ssh hands on only what follows.
      if let version { return version }
    }
    if let name = self["LC_TERMINAL"] {
      let text = "\(name) \(self["LC_TERMINAL_VERSION"] ?? "")".sanitized(upTo: 80)
      if let version = TerminalVersion(answer: text) { return version }
    }
    if self["WT_SESSION"] != nil {
      return TerminalVersion(product: .windowsTerminal, name: "Windows Terminal")
    }
    return switch term {
    case "xterm-kitty": TerminalVersion(product: .kitty, name: "kitty")
    case "xterm-ghostty": TerminalVersion(product: .ghostty, name: "ghostty")
    case "alacritty", "alacritty-direct":
      TerminalVersion(product: .alacritty, name: "Alacritty")
    case "foot", "foot-extra", "foot-direct": TerminalVersion(product: .foot, name: "foot")
    case "mlterm", "mlterm-256color": TerminalVersion(product: .mlterm, name: "mlterm")
    default: nil
    }
  }
}
