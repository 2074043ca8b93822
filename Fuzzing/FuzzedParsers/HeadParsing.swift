@testable internal import PandaCore

/// The lines of a response's head, as libcurl hands them over.
enum HeadParsing {
  static func parse(_ input: [UInt8]) throws {
    var head = ResponseHead()
    for line in input.split(separator: 10, omittingEmptySubsequences: false) {
      line.withUnsafeBytes { head.take($0) }
      try require(head.contentLength ?? 0 >= 0, "a length is not negative")
      try require((-99...999).contains(head.status), "the status has three digits")
    }
    guard let value = head.retryAfter else { return }
    if let wait = RetryAfter.parse(value, date: head.date, now: 1_795_366_172) {
      try require(RetryAfter.range.contains(wait), "\(wait) is within the limits")
    }
  }
}
