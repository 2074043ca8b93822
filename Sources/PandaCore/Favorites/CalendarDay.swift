package import FoundationEssentials
internal import Glibc

package struct CalendarDay: Hashable, Sendable {
  package let year: Int
  /// From 1 to 12.
  package let month: Int
  /// From 1 to 31.
  package let day: Int

  /// Creates the day of a moment; nil for a moment that no calendar has.
  ///
  /// The C library does it in a tenth of the time that Foundation's calendar takes, and lists have
  /// thousands of days.
  ///
  /// - Parameter timeZone: the time zone; nil means that of the process.
  package init?(_ moment: Date, in timeZone: TimeZone? = nil) {
    let shift = timeZone.map { Double($0.secondsFromGMT(for: moment)) } ?? 0
    let rounded = (moment.timeIntervalSince1970 + shift).rounded(.down)
    var seconds = time_t(exactly: rounded) ?? .max
    var parts = tm()
    let found = timeZone == nil ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)
    guard found != nil else { return nil }
    (year, month, day) = (Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
  }

  /// The day as a number, such as 20261003, for a year from 0 on.
  package var number: UInt32 { UInt32(clamping: (year * 100 + month) * 100 + day) }

  /// The day as "2026-10-03" (ISO 8601).
  package var numbers: String {
    "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  /// Creates the day of a ``number``, which need not be one of a calendar.
  package init(number: UInt32) {
    (year, month, day) = (Int(number / 10_000), Int(number / 100 % 100), Int(number % 100))
  }

  /// Returns the day so many days before.
  package func day(before days: Int) -> CalendarDay? {
    var parts = tm()
    (parts.tm_year, parts.tm_mon) = (Int32(year - 1_900), Int32(month - 1))
    parts.tm_mday = Int32(day - days)
    return CalendarDay(
      Date(timeIntervalSince1970: Double(timegm(&parts))), in: TimeZone(secondsFromGMT: 0))
  }

  /// Returns how many years ago an earlier day was, if this is its anniversary.
  ///
  /// February 29 is remembered on February 28 in years without it.
  ///
  /// - Returns: at least 1; nil if this is no anniversary of the day.
  package func years(since earlier: CalendarDay) -> Int? {
    guard earlier.year < year, earlier.month == month else { return nil }
    let isReplaced = month == 2 && day == 28 && earlier.day == 29 && !isInLeapYear
    return earlier.day == day || isReplaced ? year - earlier.year : nil
  }

  private var isInLeapYear: Bool {
    year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
  }
}

extension RemoteImage {
  /// Returns how many years ago it was kept, if a day is the anniversary of that.
  package func years(on day: CalendarDay, in timeZone: TimeZone? = nil) -> Int? {
    CalendarDay(savedAt ?? createdAt, in: timeZone).flatMap(day.years(since:))
  }
}
