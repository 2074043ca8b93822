package import FoundationEssentials

/// A date as part of a file name, in UTC: names sort by date.
package struct DayName {
  private let text: String

  init(_ date: Date) {
    text = date.formatted(.iso8601)
  }

  /// Returns the beginning of a day, such as 2026-11-22; nil if it is none.
  package static func date(of day: String) -> Date? {
    // A name that no clock has given is none of a day.
    try? Date("\(day)T00:00:00Z", strategy: .iso8601)
  }

  /// The day, such as 2026-11-22.
  var day: String { String(text.prefix(10)) }

  /// The day and the time, such as 20261122-164932.
  var withTime: String {
    let digits = text.filter(\.isNumber)
    return "\(digits.prefix(8))-\(digits.dropFirst(8))"
  }
}
