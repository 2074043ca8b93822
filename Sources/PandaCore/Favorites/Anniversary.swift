package import FoundationEssentials

/// The favorites that were kept on this day in earlier years.
package struct Anniversary: Equatable, Sendable {
  /// The favorite that was kept last of them.
  package let image: RemoteImage
  package let years: Int
  package let others: Int
  package let isOfOneYear: Bool

  /// Finds the favorites; nil if there are none.
  ///
  /// - Parameter timeZone: the time zone; nil means that of the process.
  /// - Complexity: O(n), a few milliseconds for 10,000.
  package init?(of images: [RemoteImage], on date: Date, in timeZone: TimeZone? = nil) {
    guard let day = CalendarDay(date, in: timeZone) else { return nil }
    let kept = images.compactMap { image in
      image.years(on: day, in: timeZone).map { (image: image, years: $0) }
    }
    guard
      let last = kept.max(by: {
        ($0.image.savedAt ?? $0.image.createdAt) < ($1.image.savedAt ?? $1.image.createdAt)
      })
    else { return nil }
    image = last.image
    years = last.years
    others = kept.count - 1
    isOfOneYear = kept.allSatisfy { $0.years == last.years }
  }

  /// The time as "A year ago today" or "3 years ago today".
  package static func words(_ years: Int) -> String {
    years == 1 ? "A year ago today" : "\(years) years ago today"
  }
}
