internal import PictureCodecs
internal import TerminalKit

/// The report of `panda doctor`: findings, the choice of graphics with its reason, and advice.
struct DoctorReport: Hashable, Sendable {
  private(set) var rows: [Row]
  /// The ignored settings of the configuration file, one per line.
  private(set) var problems: [String]
  /// Suggestions, one per line.
  private(set) var advice: [String]

  static let noTerminal = "none: no terminal to query"

  struct Row: Hashable, Sendable {
    let label: String
    let value: String
  }

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - profile: the terminal; nil if there is none.
  ///   - choice: how pictures are shown in it.
  ///   - symbols: the symbols that the user chose.
  ///   - versions: those of Panda and the libraries, each a name with its version.
  ///   - places: the directories and files in use, each with a label.
  ///   - problems: the ignored settings.
  init(
    profile: TerminalProfile?, choice: PictureChoice?, symbols: SymbolsOption = .auto,
    versions: [String], places: [(label: String, path: String)], problems: [String]
  ) {
    var rows = [Row("panda", versions.first ?? "")]
    if let profile, let choice {
      rows += Self.rows(of: profile)
      rows += [Row("pictures", choice.path.words), Row("why", choice.reason)]
      let symbols = SymbolChoice(for: profile, option: symbols)
      rows.append(Row("symbols", "\(symbols.symbols.rawValue): \(symbols.reason)"))
    } else {
      rows.append(Row("terminal", Self.noTerminal))
    }
    rows.append(Row("libraries", versions.dropFirst().joined(separator: ", ")))
    rows += places.map { Row($0.label, $0.path.sanitized()) }
    self.rows = rows
    self.problems = problems
    advice = profile.map { Self.advice(for: $0) } ?? []
  }

  var text: String {
    let width = rows.map(\.label.count).max() ?? 0
    var lines = rows.map { row in
      row.label + String(repeating: " ", count: width + 2 - row.label.count) + row.value
    }
    if !problems.isEmpty {
      lines += ["", "Ignored settings:"] + problems.map { "- \($0)" }
    }
    if !advice.isEmpty { lines += ["", "Suggestions:"] + advice.map { "- \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: What was found

  private static func rows(of profile: TerminalProfile) -> [Row] {
    let environment = profile.environment
    var rows = [Row("terminal", profile.version?.words ?? "unknown: it does not say")]
    switch profile.multiplexer {
    case .tmux:
      let state =
        profile.environment["TMUX"] == nil
        ? "unknown: it runs on another computer"
        : profile.surroundings.map { $0.hasPassthrough ? "on" : "off" }
          ?? "unknown: tmux did not answer in time"
      rows.append(Row("tmux", "passthrough is \(state)"))
      rows.append(Row("runs in", profile.surroundings?.version?.words ?? "unknown"))
    case .screen: rows.append(Row("multiplexer", "GNU screen"))
    case .zellij: rows.append(Row("multiplexer", "Zellij"))
    case nil: rows.append(Row("tmux", "no"))
    }
    rows.append(Row("TERM", shown(environment["TERM"])))
    rows.append(Row("COLORTERM", shown(environment["COLORTERM"])))
    rows.append(Row("colors", colors(profile)))
    rows.append(Row("background", profile.background?.words ?? "unknown"))
    let characters = profile.isUnicode ? "UTF-8" : "not UTF-8"
    rows.append(Row("locale", "\(environment.shownLocale), \(characters)"))
    rows.append(Row("cell", profile.cell.map { "\($0.width)x\($0.height) pixels" } ?? "unknown"))
    rows.append(Row("graphics", graphics(profile)))
    rows.append(
      Row(
        "emoji",
        profile.emojiSequences == .firstEmoji ? "the first of joined ones" : "joined ones whole"))
    rows.append(Row("answered", answered(profile)))
    return rows
  }

  private static func shown(_ value: String?) -> String {
    value?.sanitized(upTo: 60) ?? "not set"
  }

  private static func colors(_ profile: TerminalProfile) -> String {
    profile.environment.wantsNoColor
      ? "none, because NO_COLOR is set" : profile.colors.words
  }

  /// Returns what the terminal offers, regardless of the choice.
  private static func graphics(_ profile: TerminalProfile) -> String {
    let answers = profile.answers
    var offers: [String] = []
    if answers.showsKittyGraphics {
      offers.append(answers.readsFiles ? "kitty (also from files)" : "kitty")
    }
    if profile.passesPlaceholders { offers.append("kitty through tmux") }
    if profile.showsSixel {
      let limit = profile.largestSixel.map { " (up to \($0.width)x\($0.height) pixels)" }
      offers.append("sixel" + (limit ?? ""))
    }
    if answers.hasSynchronizedOutput { offers.append("synchronized output") }
    return offers.isEmpty ? "none offered" : offers.joined(separator: ", ")
  }

  private static func answered(_ profile: TerminalProfile) -> String {
    guard profile.wasAsked else { return "not asked" }
    return profile.isAnswered
      ? "after \(profile.timeTaken.inMilliseconds)"
      : "not within \(profile.timeTaken.inMilliseconds)"
  }

  // MARK: What could be better

  private static func advice(for profile: TerminalProfile) -> [String] {
    let environment = profile.environment
    var advice: [String] = []
    if environment.isDumb {
      advice.append(
        "This terminal cannot place text. Panda needs one that can, such as xterm; "
          + "set TERM to its name.")
      return advice
    }
    if profile.declaredColors == nil {
      advice.append(
        "The terminal database has no \(environment.shownTerm): install ncurses-term, "
          + "or set TERM to a name that it has, such as xterm-256color.")
    }
    if !profile.isUnicode {
      advice.append(
        "The locale is not UTF-8, so text and frames are ASCII: set LANG to one that is, "
          + "such as C.UTF-8.")
    }
    if profile.surroundings?.hasPassthrough == false {
      advice.append("For pictures in tmux: tmux set -g allow-passthrough on")
    }
    if let version = profile.drawingVersion, version.product == .kitty, !version.hasPlaceholders {
      advice.append("kitty 0.28 and later keeps pictures in place better, in tmux too.")
    }
    if profile.drawingVersion?.product == .vsCode, !profile.answers.hasSixel {
      advice.append("For pictures in VS Code: switch terminal.integrated.enableImages on.")
    }
    if profile.version?.product == .xterm, !profile.answers.hasSixel {
      advice.append("For pictures in xterm: start it with xterm -ti vt340")
    }
    if environment.wantsNoColor {
      advice.append("NO_COLOR is set: unset it to see symbols in color.")
    } else if profile.colors != .direct {
      advice.append(
        "If your terminal shows 16 million colors, say so: export COLORTERM=truecolor")
    }
    advice += timing(profile)
    return advice
  }

  private static func timing(_ profile: TerminalProfile) -> [String] {
    guard profile.wasAsked else { return [] }
    let limit = TerminalDetection.Patience.launch.terminal
    if !profile.isAnswered {
      return ["The terminal does not answer. If it shows pictures, say how with --graphics."]
    }
    guard profile.timeTaken > limit else { return [] }
    return [
      "Panda waits \(limit.inMilliseconds) for the terminal when it starts, which was not enough "
        + "now. If no pictures appear, say how to show them with --graphics."
    ]
  }
}

extension DoctorReport.Row {
  fileprivate init(_ label: String, _ value: String) {
    self.label = label
    self.value = value
  }
}

extension TerminalAnswers.Color {
  /// The color as #rrggbb.
  fileprivate var words: String {
    "#"
      + [red, green, blue].map { channel in
        (channel < 16 ? "0" : "") + String(channel, radix: 16)
      }.joined()
  }
}
