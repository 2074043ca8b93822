internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// `panda today`: one of the favorites, the same all day, without the network.
@MainActor
struct TodayCommand: SessionCommand {
  let session: CommandSession

  func run(_ request: TodayRequest) async throws {
    let image = try await image()
    switch request {
    case .path:
      try output.printPath(try await session.path(of: image).utf8)
      await session.pictureFiles.removeOldest()
    case .json:
      let record = session.record(image, isFavorite: true)
      try output.write(try JSONLines().line(record) + [UInt8(ascii: "\n")])
    case .picture:
      let line = ImageDescription(image).line
      if showsPicture {
        let data = try await reading { try await image.dataRepresentation.data() }
        output.note(
          try await ShowCommand.print(
            data, named: image.name, options, session.configuration, above: [line]))
      }
      try output.print(line)
    case .greeting:
      try output.print(try await greeting(image))
    }
  }

  /// In a pipe there are only words, unless a way to show pictures is named.
  private var showsPicture: Bool { output.isTerminal || options.graphics != nil }

  private func greeting(_ image: RemoteImage) async throws -> String {
    let years = CalendarDay(session.now()).flatMap { image.years(on: $0) }
    return GreetingCommand.line(
      try await reading { try await controller.library.count() }, years: years, name: image.name)
  }

  // MARK: Choosing

  /// Returns the favorite that is asked for: the one of the day, or any.
  func image() async throws -> RemoteImage {
    options.random ? try await anyImage() : try await imageOfToday()
  }

  private func anyImage() async throws -> RemoteImage {
    let addresses = try await reading { try await controller.library.addresses() }
    guard let address = addresses.randomElement(),
      let image = try await reading({ try await controller.library.favorite(address) })
    else { throw noFavorites }
    return image
  }

  private var noFavorites: CommandFailure {
    CommandFailure(
      "\(ActionWords.favorites(0)). panda fetch --keep finds and keeps one", .notFound)
  }

  private func imageOfToday() async throws -> RemoteImage {
    let day = PictureDay(session.now()).numbers
    let daily = session.remembered.favorites(ofDaysIn: session.opening.name)
    if let address = daily[day],
      let image = try await reading({ try await controller.library.favorite(address) })
    {
      return image
    }
    try await load()
    guard let image = Self.choice(among: controller.images, on: session.now()) else {
      throw noFavorites
    }
    await daily.record(image.id, on: day)
    return image
  }

  /// Chooses a favorite for a day: one kept on this day of an earlier year, or else any.
  ///
  /// The choice depends on nothing but the day and the favorites.
  static func choice(among images: [RemoteImage], on moment: Date) -> RemoteImage? {
    let today = CalendarDay(moment)
    let anniversaries = images.filter { image in today.flatMap { image.years(on: $0) } != nil }
    let day = PictureDay(moment).numbers
    return (anniversaries.isEmpty ? images : anniversaries)
      .min { PictureID(address: day + $0.id) < PictureID(address: day + $1.id) }
  }
}
