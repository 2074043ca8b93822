extension [String] {
  /// The words as alternatives: `one, two or three`.
  package var alternatives: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}

extension String {
  /// The typed text, sanitized and short enough for one line.
  package var forMessage: String { sanitized().clipped(to: 60) }
}

extension RawRepresentable where RawValue == String, Self: CaseIterable {
  package static var words: [String] { allCases.map(\.rawValue) }

  /// Reads a word that is one of several.
  ///
  /// - Parameter problem: begins the error, such as "--sort takes".
  package init(argument: String, _ problem: String) throws(UsageError) {
    guard let value = Self(rawValue: argument) else {
      throw UsageError(problem: "\(problem) \(Self.words.alternatives), not \(argument.forMessage)")
    }
    self = value
  }
}
