internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// One of the favorites, the same all day, without the network.
@MainActor
struct TodayCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "today", in: .both, options: [greeting, random, path, .size, .json],
    summary: "show one of your favorites, the same all day",
    discussion: "Shows one of your favorites, the same all day: one that you kept on this day of "
      + "an earlier year if there is one. Never uses the network. A greeting "
      + "waits for no lock, says nothing where it cannot answer, and ends with status 0 if the "
      + "settings can be read."
  ) { arguments throws(UsageError) in
    let form = try arguments.one(of: [greeting, path, .json], for: "today")?.name
    let size = try arguments.size()
    let isRandom = arguments.has(random)
    if isRandom, form == greeting.name {
      throw UsageError(problem: "a greeting is the same all day, so it takes no --random")
    }
    return .session(.favorites) { session in
      if form == greeting.name, session.conversation == nil {
        return await GreetingCommand(session: session, size: size).run()
      }
      try session.requireReadable()
      let command = TodayCommand(session: session)
      let image = isRandom ? try await command.anyImage() : try await command.imageOfToday()
      switch form {
      case greeting.name: try session.output.print(try await command.greeting(image))
      case path.name:
        try session.output.printPath(try await session.path(of: image).utf8)
        await session.places.pictureFiles.removeOldest()
      case CommandLineOption.json.name: try session.output.write(session.record(image).outputLine)
      default:
        if let conversation = session.conversation { return await conversation.describe(image) }
        try await command.show(image, size)
      }
    }
  }

  private nonisolated static let greeting = CommandLineOption(
    "greeting",
    help: "greet at the start of a shell: a small picture, how many there are, and a year ago today"
  )
  private nonisolated static let random = CommandLineOption(
    "random", help: "any favorite, each time another one")
  private nonisolated static let path = CommandLineOption(
    "path", help: "print the path of a copy of the picture file")

  let session: Session

  private func show(_ image: RemoteImage, _ size: CellSize?) async throws {
    let line = ImageDescription(image).line
    // In a pipe there are only words, unless a way to show pictures is named.
    if output.isTerminal || session.options.graphics != nil {
      let data = try await reading { try await image.dataRepresentation.data() }
      output.note(
        try await ShowCommand.print(
          data, named: image.name, session, size: size, above: [line]))
    }
    try output.print(line)
  }

  private func greeting(_ image: RemoteImage) async throws -> String {
    let years = CalendarDay(session.now()).flatMap { image.years(on: $0) }
    return GreetingCommand.line(
      try await reading { try await controller.library.count() }, years: years, name: image.name)
  }

  // MARK: Choosing

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
