internal import FoundationEssentials

/// Dates as text that gives the same date again, to the last bit.
///
/// `2026-10-03T14:05:09.25Z`: ISO 8601 with as many decimals as a `Date` has.
enum ExactDate {
  /// The distance between the Unix epoch and that of `Date`, 1 January 2001.
  private static let epoch = 978_307_200
  /// The years 1 to 9999, in seconds since 2001: no other dates have this form.
  private static let range = -63_113_904_000.0..<252_423_993_600.0

  /// Returns the text of a date; one outside the years 1 to 9999 is moved to their ends.
  static func text(_ date: Date) -> String {
    let limited = date.timeIntervalSinceReferenceDate
    let exact =
      limited.isNaN ? 0 : min(max(limited, range.lowerBound), range.upperBound.nextDown)
    var seconds = Int(exact.rounded(.down))
    // The difference of a Double to a whole number near it is exact. Nanoseconds tell apart all
    // dates since 2001 but those of its first weeks.
    var nanoseconds = Int(((exact - Double(seconds)) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, 0) }
    let total = seconds + epoch
    let days = Int((Double(total) / 86_400).rounded(.down))
    let (year, month, day) = civil(days)
    let time = total - days * 86_400
    var text =
      "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(time / 3600, 2)):"
      + "\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
    if nanoseconds > 0 {
      var decimals = digits(nanoseconds, 9)
      while decimals.hasSuffix("0") { decimals.removeLast() }
      text += ".\(decimals)"
    }
    return text + "Z"
  }

  /// Returns the date of a text that ``text(_:)`` has made; nil for anything else.
  static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    // 2026-10-03T14:05:09Z
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
      zip([4, 7, 10, 13, 16], "--T::".utf8).allSatisfy({ bytes[$0] == $1 }),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60,
      let nanoseconds = nanoseconds(bytes[19..<(bytes.count - 1)])
    else { return nil }
    let days = days(year: year, month: month, day: day)
    // 31 February is another day.
    guard civil(days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - epoch
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanoseconds) / 1e9)
  }

  /// Parses `.25` as 250,000,000; nil if it is not a point with one to nine digits.
  private static func nanoseconds(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let point = bytes.first else { return 0 }
    let decimals = bytes.dropFirst()
    guard point == UInt8(ascii: "."), (1...9).contains(decimals.count),
      let value = number(decimals)
    else { return nil }
    return (decimals.count..<9).reduce(value) { value, _ in value * 10 }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }

  /// Returns the day as `2026-10-03`, in Coordinated Universal Time.
  static func day(_ date: Date) -> String { String(text(date).prefix(10)) }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  // The Gregorian calendar, in eras of 400 years that begin on 1 March
  // (howardhinnant.github.io/date_algorithms.html). Foundation's calendars take a thousand times as
  // long, and the text must not depend on a time zone.

  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
