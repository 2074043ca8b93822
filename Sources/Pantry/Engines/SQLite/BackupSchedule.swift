internal import FoundationEssentials

/// Decides which backups to keep: some daily ones, a weekly and a monthly one.
///
/// Numbers order them. Dates only tell how far apart two are, and only where they agree with the
/// numbers: on a day with a wrong clock nothing is superfluous.
struct BackupSchedule {
  /// The number of daily backups.
  let dailyLimit: Int
  /// The number beyond which the oldest go on any day, so that a clock that jumps each day does not
  /// fill the disk.
  private static let limit = 20
  /// A computer may be off for so long, in days.
  private static let longestPause = 366

  /// Returns the backups that need not be kept.
  ///
  /// - Parameter backups: the newest last, which was just made.
  func superfluous(of backups: [SQLiteBackups.Daily]) -> [SQLiteBackups.Daily] {
    guard let made = backups.last else { return [] }
    // The one of the same day is replaced.
    var others = backups.dropLast()
    var gone: [SQLiteBackups.Daily] = []
    if let replaced = others.last, replaced.day == made.day { gone.append(others.removeLast()) }
    let surplus = max(0, others.count + 1 - Self.limit)
    gone += others.prefix(surplus)
    others = others.dropFirst(surplus)
    if let former = others.last {
      guard let pause = distance(former, made), (0...Self.longestPause).contains(pause) else {
        return gone
      }
    }
    // Of those that are no longer among the daily ones two are kept: that of a week is replaced
    // once another one is a week newer, and is then that of a month, if the former is a month
    // older.
    var month: SQLiteBackups.Daily?
    var week: SQLiteBackups.Daily?
    for old in others.dropLast(max(0, dailyLimit - 1)) {
      guard let age = distance(old, made), age >= 0 else {
        gone.append(old)
        continue
      }
      guard let known = week else {
        week = old
        continue
      }
      guard isApart(known, old, days: 7) else {
        gone.append(old)
        continue
      }
      week = old
      guard let former = month else {
        month = known
        continue
      }
      if isApart(former, known, days: 30) {
        gone.append(former)
        month = known
      } else {
        gone.append(known)
      }
    }
    return gone
  }

  private func isApart(
    _ one: SQLiteBackups.Daily, _ other: SQLiteBackups.Daily, days: Int
  ) -> Bool {
    distance(one, other).map { $0 >= days } ?? false
  }

  /// The number of days from one backup to another; nil if a day is none.
  private func distance(_ one: SQLiteBackups.Daily, _ other: SQLiteBackups.Daily) -> Int? {
    guard let start = DayName.date(of: one.day), let end = DayName.date(of: other.day) else {
      return nil
    }
    return Int((end.timeIntervalSince(start) / 86_400).rounded())
  }
}
