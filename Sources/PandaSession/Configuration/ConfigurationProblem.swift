/// A setting in the configuration file that is ignored, and why.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The file's name, sanitized.
  var file = "config.json5"
  /// Counted from 1; nil if the whole file is affected.
  let line: Int?
  /// The problem, without a period; quotes from the file are sanitized.
  let sentence: String
  /// Whether it is a setting of an earlier version, in ``Configuration/retired``.
  var isRetired = false
  /// Whether it is one that protected something, without which no command begins.
  var endsProgram = false
  /// The settings whose values are not known because of it, among
  /// ``Configuration/Setting/withoutSubstitute``.
  var unknown: Set<Configuration.Setting> = []

  /// Whether no setting of the file is known.
  var isOfWholeFile: Bool { unknown == Configuration.Setting.withoutSubstitute }

  /// The place in the file and the problem.
  var finding: String {
    line.map { "\(file) line \($0): \(sentence)" } ?? "\(file): \(sentence)"
  }

  /// The finding, and what it means for the other settings.
  package var description: String {
    isOfWholeFile ? "\(finding.withPeriod) None of its settings is used" : finding
  }
}

extension [ConfigurationProblem] {
  /// A single line for the user; nil if there is no problem.
  package var summary: String? { summary(others: "panda doctor shows") }

  /// Returns a single line for the user; nil if there is no problem.
  ///
  /// - Parameter others: the command that shows the problems after the first.
  package func summary(others: String) -> String? {
    guard let first else { return nil }
    return switch count {
    case 1: "\(first)"
    case 2: "\(first) (and 1 more: \(others) it)"
    default: "\(first) (and \(count - 1) more: \(others) them)"
    }
  }
}

extension String {
  /// Quoted text from the configuration file, sanitized and short.
  var quotedFromFile: String {
    let text = sanitized(upTo: 61)
    return text.count > 60 ? "\"\(text.prefix(59))…\"" : "\"\(text)\""
  }
}
