internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

/// The favorite of a day in a library: chosen by the first command that asks on that day.
@MainActor
struct FavoriteOfTheDay {
  let reader: FavoritesReader
  private let daily: DailyFavorites
  private let now: Date

  /// - Parameter reader: reads the library of the session.
  init(_ session: Session, _ reader: FavoritesReader) {
    self.reader = reader
    daily = session.remembered.favorites(ofDaysIn: session.opening.name)
    now = session.now()
  }

  /// Returns today's; nil if there are no favorites.
  ///
  /// One that is gone, or cannot be read, makes room for another one.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  func today() async throws -> FavoritesReader.Choice? {
    guard let today = CalendarDay(now) else { return nil }
    var stale: String?
    while true {
      if let address = daily[today.numbers], address != stale {
        if let image = try await reader.favorite(address) {
          return FavoritesReader.Choice(image)
        }
        stale = address
      }
      var generator = SystemRandomNumberGenerator()
      guard let choice = try await reader.choose(on: today, using: &generator) else { return nil }
      let winner = await daily.record(choice.image.id, on: today.numbers, replacing: stale)
      if winner == choice.image.id { return choice }
    }
  }

  /// Returns that of an earlier day.
  ///
  /// - Throws: ``CommandFailure`` if there was none, or it is gone; or the engine's error.
  func favorite(before days: Int) async throws -> RemoteImage {
    guard let day = CalendarDay(now)?.day(before: days), let address = daily[day.numbers] else {
      throw CommandFailure("Nobody asked for a favorite on that day", .notFound)
    }
    guard let image = try await reader.favorite(address) else {
      throw CommandFailure("The favorite of that day was removed since, or is damaged", .notFound)
    }
    return image
  }

  /// Remembers that a favorite was shown, after it was.
  ///
  /// It is but a memory: if the file is locked, nothing is remembered.
  ///
  /// - Parameter isOnceADay: whether it counts only if it was not seen today.
  func wasShown(_ choice: FavoritesReader.Choice, isOnceADay: Bool = false) async {
    reader.keepIndex(of: choice)
    if isOnceADay, let last = try? await reader.lastSeen(choice.image),  // unreadable: it counts
      CalendarDay(last) == CalendarDay(now)
    {
      return
    }
    try? await reader.record(choice, at: now)  // but a memory
  }
}
