internal import CCurl

enum RetryAfter {
  /// The allowed range of waits: a server is neither hammered nor able to disable a source.
  static let range: ClosedRange<Duration> = .seconds(1) ... .seconds(24 * 3600)

  /// Returns how long to wait, or `nil` if the header cannot be parsed.
  ///
  /// - Parameters:
  ///   - value: seconds or an HTTP date (RFC 9110, 10.2.3).
  ///   - date: the response's own Date header. The wait is the difference between the two, so that
  ///     a wrong clock on this machine does not matter.
  ///   - now: seconds since 1970, for a response without a Date header.
  static func parse(_ value: String, date: String?, now: Int) -> Duration? {
    let value = value.trimmingSpaces
    let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More digits than Int holds mean a very long time.
      let seconds = Int(value) ?? (value.hasPrefix("-") ? 0 : .max)
      return clamp(seconds)
    }
    guard let end = time(value) else { return nil }
    return clamp(end - (date.flatMap(time) ?? now))
  }

  /// Returns the wait that the body of a 429 names, as Django's throttles write it; nil for none.
  static func parse(body: some Collection<UInt8>) -> Duration? {
    let text = String(decoding: body, as: UTF8.self)
    guard let words = text.firstRange(of: "available in ") else { return nil }
    let rest = text[words.upperBound...]
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, rest[digits.endIndex...].hasPrefix(" second") else { return nil }
    return clamp(Int(digits) ?? .max)
  }

  private static func clamp(_ seconds: Int) -> Duration {
    min(max(.seconds(min(seconds, 1_000_000)), range.lowerBound), range.upperBound)
  }

  /// Parses an HTTP date as seconds since 1970.
  ///
  /// curl_getdate knows all three formats of RFC 9110, 5.6.7, and ignores the locale.
  private static func time(_ text: String) -> Int? {
    guard text.utf8.contains(UInt8(ascii: ":")), !text.utf8.contains(0) else { return nil }
    // Without libcurl there is no response whose header could be read.
    guard let curl = try? CurlLibrary.shared() else { return nil }
    let time = curl.functions.getdate(text, nil)
    return time < 0 ? nil : min(time, 1 << 40)
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at either end.
  var trimmingSpaces: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
