internal import PandaSession
internal import TerminalKit

extension Configuration.Setting {
  /// The documentation of a setting in `--help` and panda-config(5).
  struct Documentation: Sendable {
    let values: String
    /// The default, as written in the file; nil if it is documented elsewhere.
    let standard: String?
    /// The effect: a phrase in lower case, without a period.
    let summary: String
  }

  var documentation: Documentation {
    let defaults = Configuration.standard
    let seconds = Configuration.secondsRange
    return switch self {
    case .reduceMotion:
      Documentation(
        values: "true or false", standard: "\(defaults.reduceMotion)",
        summary: "true disables animation")
    case .autoAdvance:
      Documentation(
        values: "true or false", standard: "\(defaults.autoAdvance)",
        summary: "after keeping a panda, show the next one")
    case .mouse:
      Documentation(
        values: "true or false", standard: "\(defaults.mouse)",
        summary: "false leaves the mouse to the terminal, as --no-mouse does")
    case .graphics:
      Documentation(
        values: GraphicsOption.allCases.map(\.rawValue).alternatives,
        standard: "\"\(defaults.graphics.rawValue)\"",
        summary: "how to show pictures, as --graphics")
    case .symbols:
      Documentation(
        values: SymbolsOption.allCases.map(\.rawValue).alternatives,
        standard: "\"\(defaults.symbols.rawValue)\"",
        summary: "the symbols that pictures are made of; auto takes the finest that the terminal "
          + "is known to draw")
    case .source:
      Documentation(
        values: "names, an address, a directory or null", standard: "null",
        summary: "where pictures come from, as --source; null is all public sources in turn")
    case .sources:
      Documentation(
        values: "a list of objects", standard: "[]",
        summary: "your own sources, described as in docs/Sources.md")
    case .library:
      Documentation(
        values: "an address or \"local\"", standard: "\"local\"",
        summary: "where favorites are, as --library; a postgresql:// address shares them")
    case .author:
      Documentation(
        values: "a name or null", standard: "null",
        summary: "who you are in a shared library; null is your user name and machine")
    case .contact:
      Documentation(
        values: "a web or mail address, or null", standard: "null",
        summary: "your contact for the servers that are asked; null is the project's address")
    case .theme:
      Documentation(
        values: Theme.allCases.map(\.rawValue).alternatives,
        standard: "\"\(defaults.theme.rawValue)\"",
        summary: "the background that colors are chosen for; auto asks the terminal")
    case .slideshowSeconds:
      Documentation(
        values: "\(seconds.lowerBound) to \(seconds.upperBound)",
        standard: "\(defaults.slideshowSeconds)",
        summary: "how long the slideshow shows each panda")
    case .keys:
      Documentation(
        values: "an object", standard: nil,
        summary: "for each command a key, a list of keys, or [] for none")
    }
  }
}
