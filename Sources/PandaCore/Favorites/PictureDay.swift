package import FoundationEssentials

/// A day in the formats that users search for.
package struct PictureDay: Equatable, Sendable {
  /// The day as "3 Oct 2026".
  package let words: String
  /// The day as "2026-10-03" (ISO 8601).
  package let numbers: String

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The month as "October 2026"; empty for a moment that no calendar has.
  package var month: String {
    let parts = numbers.split(separator: "-")
    guard parts.count == 3, let month = Int(parts[1]) else { return "" }
    return "\(Self.monthNames[month - 1]) \(parts[0])"
  }

  /// Creates the day of a moment, in the local time zone.
  ///
  /// Empty for a moment that no calendar has.
  package init(_ moment: Date) {
    guard let date = CalendarDay(moment) else {
      (words, numbers) = ("", "")
      return
    }
    let (year, month, day) = (date.year, date.month, date.day)
    words = "\(day) \(Self.months[month - 1]) \(year)"
    numbers = date.numbers
  }
}
