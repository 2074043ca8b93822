internal import FoundationEssentials
package import PandaCore

/// The reason why a command did not do what it was asked for.
package struct CommandFailure: Error, CustomStringConvertible {
  /// One sentence for the user, sanitized, without a period.
  package let sentence: String
  package let status: ExitStatus
  /// The cause, for the log; nil if the sentence says it.
  package let cause: (any Error)?

  package init(_ sentence: String, _ status: ExitStatus, cause: (any Error)? = nil) {
    self.sentence = sentence.sanitized(upTo: 1_000)
    self.status = status
    self.cause = cause
  }

  /// Words an error.
  ///
  /// - Parameters:
  ///   - what: what was not done, such as "Not saved"; nil if the error says it.
  ///   - error: the cause; a failure stays as it is.
  package init(_ what: String?, because error: any Error) {
    if let error = error as? CommandFailure {
      self = error
      return
    }
    let message = userMessage(for: error)
    self.init(
      what.map { "\($0): \(message)" } ?? message, ExitStatus(for: error), cause: error)
  }

  package init(_ unresolved: FavoritesFilter.Unresolved) {
    let isUnknown = if case .unknown = unresolved { true } else { false }
    self.init(unresolved.sentence, isUnknown ? .notFound : .usage)
  }

  package var description: String { sentence }
}
