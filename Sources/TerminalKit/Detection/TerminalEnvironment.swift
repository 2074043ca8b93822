internal import Glibc

/// The environment's information about the terminal.
///
/// Variables are inherited: an xterm started from a shell in kitty has kitty's. The terminal's own
/// answers take precedence.
package struct TerminalEnvironment: Hashable, Sendable {
  private let variables: [String: String]

  package static let names = [
    "TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL",
    "LC_TERMINAL_VERSION", "TMUX", "TMUX_PANE", "STY", "SSH_CONNECTION", "SSH_TTY", "WT_SESSION",
    "LC_ALL", "LC_CTYPE", "LANG", "COLORFGBG", "ZELLIJ", "XTERM_VERSION",
  ]

  /// Creates an environment; empty variables count as unset.
  package init(_ variables: [String: String]) {
    self.variables = variables.filter { Self.names.contains($0.key) && !$0.value.isEmpty }
  }

  package static var current: Self {
    var variables: [String: String] = [:]
    for name in names { variables[name] = getenv(name).map { String(cString: $0) } }
    return Self(variables)
  }

  /// The value of a variable that is set and not empty.
  package subscript(name: String) -> String? { variables[name] }

  package var term: String { self["TERM"] ?? "" }

  package var isDumb: Bool { ["", "dumb", "unknown"].contains(term) }

  /// Whether the terminal might print sequences that it does not understand.
  ///
  /// The Linux console, Emacs's terminal, and terminals older than ECMA-48's strings may.
  package var understandsLittle: Bool {
    ["linux", "eterm", "vt52", "vt1", "vt2", "ansi", "cons25"].contains { term.hasPrefix($0) }
  }

  /// Whether a multiplexer may be in between.
  ///
  /// The variables do not cross ssh; TERM does.
  var mayBeMultiplexed: Bool {
    self["TMUX"] != nil || self["STY"] != nil || isZellij
      || ["tmux", "screen"].contains { term.hasPrefix($0) }
  }

  /// Whether Zellij is in between, which leaves TERM as it is.
  var isZellij: Bool { self["ZELLIJ"] != nil }

  /// Whether the program runs on a different computer than the terminal.
  package var isRemote: Bool { self["SSH_CONNECTION"] != nil || self["SSH_TTY"] != nil }

  /// Whether the user wants no colors (no-color.org: set, and not empty).
  package var wantsNoColor: Bool { self["NO_COLOR"] != nil }

  /// The name of the locale that determines the character set.
  var localeName: String { self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C" }

  /// The terminal as named by the environment.
  ///
  /// TERM takes precedence if it names one specific terminal: each terminal sets it, while the
  /// other variables may come from the terminal that it was started from.
  package var version: TerminalVersion? {
    let named = named("TERM_PROGRAM") ?? named("LC_TERMINAL") ?? windowsTerminal
    guard let own = ownName, own.product != named?.product else { return named }
    return own
  }

  /// The terminal named by a variable and its `_VERSION` companion.
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

  /// The terminal named by TERM, if that value is specific to one terminal.
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
