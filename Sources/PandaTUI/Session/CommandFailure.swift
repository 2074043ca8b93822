internal import FoundationEssentials
internal import PandaCore

/// The reason why a command did not do what it was asked for.
struct CommandFailure: Error, CustomStringConvertible {
  /// One sentence for the user, sanitized, without a period.
  let sentence: String
  let status: ExitStatus
  /// The cause, for the log; nil if the sentence says it.
  let cause: (any Error)?

  init(_ sentence: String, _ status: ExitStatus, cause: (any Error)? = nil) {
    self.sentence = sentence.sanitized(upTo: 1_000)
    self.status = status
    self.cause = cause
  }

  /// Words an error.
  ///
  /// - Parameters:
  ///   - what: what was not done, such as "Not saved"; nil if the error says it.
  ///   - error: the cause; a failure stays as it is.
  init(_ what: String?, because error: any Error) {
    if let error = error as? CommandFailure {
      self = error
      return
    }
    let message = userMessage(for: error)
    self.init(
      what.map { "\($0): \(message)" } ?? message, ExitStatus(for: error), cause: error)
  }

  init(_ unresolved: FavoritesFilter.Unresolved) {
    let isUnknown = if case .unknown = unresolved { true } else { false }
    self.init(unresolved.sentence, isUnknown ? .notFound : .usage)
  }

  var description: String { sentence }
}
