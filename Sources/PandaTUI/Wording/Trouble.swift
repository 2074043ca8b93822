internal import FoundationEssentials

/// A problem with its technical cause, which the user can look up.
struct Trouble: Sendable {
  /// What Panda was doing.
  let what: String
  /// One user message.
  let sentence: String
  /// The technical cause: host, status, bytes, codes.
  let cause: String
  let date: Date

  init(_ what: String, _ error: any Error, at date: Date = Date()) {
    self.what = what
    sentence = userMessage(for: error)
    cause = technicalCause(of: error)
    self.date = date
  }
}
