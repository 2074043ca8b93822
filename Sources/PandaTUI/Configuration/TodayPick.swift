/// The favorite that `panda today` shows on a day.
struct TodayPick: Codable, Equatable, Sendable {
  /// The day, such as 2026-10-03.
  let day: String
  /// The address of the picture.
  let address: String
}
