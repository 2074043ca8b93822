/// Something in the configuration file that is not used, and why.
struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The file's name, sanitised.
  var file = "config.json5"
  /// Counted from 1; nil where it is the whole file.
  let line: Int?
  /// What is wrong, without a full stop; what it quotes from the file is sanitised.
  let sentence: String

  var description: String {
    line.map { "\(file) line \($0): \(sentence)" } ?? "\(file): \(sentence)"
  }
}

extension [ConfigurationProblem] {
  /// The one line that there is room for on the screen; nil when there is no problem.
  var summary: String? {
    guard let first else { return nil }
    return switch count {
    case 1: "\(first)"
    case 2: "\(first) (and 1 more: panda doctor tells it)"
    default: "\(first) (and \(count - 1) more: panda doctor tells them)"
    }
  }
}

extension String {
  /// Text from the configuration file in quotes, harmless and short.
  var quotedFromFile: String {
    let text = sanitized(upTo: 61)
    return text.count > 60 ? "\"\(text.prefix(59))…\"" : "\"\(text)\""
  }
}
