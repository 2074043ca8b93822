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

  private static let calendar = Calendar(identifier: .gregorian)

  /// Creates the day of a moment, in the local time zone.
  package init(_ moment: Date) {
    let parts = Self.calendar.dateComponents([.year, .month, .day], from: moment)
    guard let year = parts.year, let month = parts.month, let day = parts.day,
      Self.months.indices.contains(month - 1)
    else {
      (words, numbers) = ("", "")
      return
    }
    words = "\(day) \(Self.months[month - 1]) \(year)"
    numbers = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}
