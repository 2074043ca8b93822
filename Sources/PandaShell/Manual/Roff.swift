internal import TerminalKit

/// Building blocks of mdoc(7).
enum Roff {
  /// Returns lines of text without requests and escapes.
  ///
  /// No line is a request, and no backslash starts an escape.
  static func text(_ text: String) -> [String] {
    // Each sentence starts a line, so that man finds the ends of sentences (mdoc(7)).
    let sentences = text.split(separator: ". ")
    let lines = sentences.enumerated().flatMap { index, sentence in
      (sentence + (index < sentences.count - 1 ? "." : "")).description.wrapped(to: 78)
    }
    return lines.map { line in
      let escaped = escaped(line)
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + escaped : escaped
    }
  }

  /// Returns one macro argument.
  ///
  /// It is quoted if it has spaces, and never parsed as a macro itself.
  static func argument(_ text: String) -> String {
    let escaped = escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    return text.contains(" ") ? "\"\\&\(escaped)\"" : "\\&\(escaped)"
  }

  static func list(_ entries: [(head: String, meaning: [String])]) -> [String] {
    var lines = [".Bl -tag -width Ds"]
    for entry in entries {
      lines.append(".It \(entry.head)")
      lines += entry.meaning
    }
    return lines + [".El"]
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "~": "\\(ti"
      case "^": "\\(ha"
      case "`": "\\(ga"
      default: String(character)
      }
    }.joined()
  }
}
