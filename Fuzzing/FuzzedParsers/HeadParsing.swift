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
    if let seconds = RetryAfter.seconds(in: input) {
      try require(
        RetryAfter.range.contains(RetryAfter.wait(seconds)), "\(seconds) is within the limits")
    }
  }
}
