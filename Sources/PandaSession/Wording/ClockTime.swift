package import FoundationEssentials
internal import PandaCore

/// A time of day such as 14:07.
package struct ClockTime {
  package let words: String

  /// Creates the time of a moment, in the machine's time zone.
  package init(_ moment: Date) {
    let parts = Calendar(identifier: .gregorian).dateComponents([.hour, .minute], from: moment)
    let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    words = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// The words for a moment with its day, such as "3 Oct 2026, 09:30".
  package static func withDay(_ moment: Date) -> String {
    "\(PictureDay(moment).words), \(ClockTime(moment).words)"
  }
}
