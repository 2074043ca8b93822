/// The manual pages that Panda writes, in mdoc(7).
enum ManualPage: String, CaseIterable, Hashable, Sendable {
  case panda
  case configuration = "panda-config"

  /// The section of the manual that it belongs to.
  var section: Int {
    switch self {
    case .panda: 1
    case .configuration: 5
    }
  }

  /// The source of the page.
  func source(table: CommandLineTable = .panda, keys: KeyTable = .standard) -> String {
    let body =
      switch self {
      case .panda: Self.program(table, keys)
      case .configuration: Self.configuration(keys)
      }
    let head = [
      ".\\\" Written by panda manual \(rawValue).",
      ".Dd \(Version.longDate)",
      ".Dt \(rawValue.uppercased()) \(section)",
      ".Os",
    ]
    return (head + body).joined(separator: "\n") + "\n"
  }
}

/// Building blocks of mdoc(7).
enum Roff {
  /// Lines of text: no line is a request, no backslash an escape.
  static func text(_ text: String) -> [String] {
    // A sentence begins a line: man then knows where sentences end (mdoc(7)).
    let sentences = text.split(separator: ". ")
    let lines = sentences.enumerated().flatMap { index, sentence in
      (sentence + (index < sentences.count - 1 ? "." : "")).description.wrapped(to: 78)
    }
    return lines.map { line in
      let escaped = escaped(line)
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + escaped : escaped
    }
  }

  /// One argument of a macro: in quotes if it has spaces, and never read as a macro itself.
  static func argument(_ text: String) -> String {
    let escaped = escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    return text.contains(" ") ? "\"\\&\(escaped)\"" : "\\&\(escaped)"
  }

  /// A list of terms and what they mean.
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
