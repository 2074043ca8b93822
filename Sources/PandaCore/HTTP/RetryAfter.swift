/// How long a server asks to wait, in seconds, as a limited time.
enum RetryAfter {
  /// The allowed range of waits: a server is neither hammered nor able to disable a source.
  static let range: ClosedRange<Duration> = .seconds(1) ... .seconds(24 * 3600)

  /// Returns the wait in the body of a 429, as Django's throttles write it; nil if there is none.
  static func seconds(in body: some Collection<UInt8>) -> Int? {
    let text = String(decoding: body, as: UTF8.self)
    guard let words = text.firstRange(of: "available in ") else { return nil }
    let rest = text[words.upperBound...]
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, rest[digits.endIndex...].hasPrefix(" second") else { return nil }
    return Int(digits) ?? .max
  }

  static func wait(_ seconds: Int) -> Duration {
    min(max(.seconds(min(seconds, 1_000_000)), range.lowerBound), range.upperBound)
  }
}
