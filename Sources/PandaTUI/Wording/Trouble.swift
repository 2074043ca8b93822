internal import FoundationEssentials

/// Something that went wrong, with its real cause, for who asks.
struct Trouble: Sendable {
  /// What Panda was doing.
  let what: String
  /// One calm sentence.
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
