internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// One of the favorites, the same all day, without the network.
@MainActor
struct TodayCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "today", in: .both, options: [greeting, random, ago, path, link, .size, .json],
    summary: "show one of your favorites, the same all day",
    discussion: "Shows one of your favorites, the same all day: one that you kept on this day of "
      + "an earlier year if there is one, else one that you have not seen for long. Never uses the "
      + "network. --path prints the path of a copy in a cache that may be emptied at any time; "
      + "with --link, FILE leads to a copy that stays until the next one, such as for a "
      + "wallpaper. A greeting "
      + "waits for no lock, says nothing where it cannot answer, and ends with status 0 if the "
      + "settings can be read."
  ) { arguments throws(UsageError) in
    let form = try arguments.one(of: [greeting, path, link, .json], for: "today")?.name
    let size = try arguments.size()
    let day = try arguments.one(of: [random, ago], for: "today")
    let days = try arguments.number(ago, in: 1...DailyFavorites.limit)
    if let day, form == greeting.name {
      throw UsageError(
        problem: "a greeting has the favorite of today, so it takes no \(day.spelling)")
    }
    if arguments[link]?.isEmpty == true { throw UsageError(problem: "--link needs a file") }
    let file = arguments[link]
    return .session(.favorites) { session in
      if form == greeting.name, session.conversation == nil {
        return await GreetingCommand(session: session, size: size).run()
      }
      try session.requireReadable()
      let command = TodayCommand(session: session)
      let choice = try await command.choice(isRandom: arguments.has(random), before: days)
      let image = choice.image
      switch form {
      case greeting.name: try session.output.print(try await command.greeting(image))
      case path.name:
        try session.output.printPath(try await session.path(of: image).utf8)
        await session.places.pictureFiles.removeOldest()
      case link.name: try await command.link(file ?? "", to: image)
      case CommandLineOption.json.name: try session.output.write(session.record(image).outputLine)
      default:
        if let conversation = session.conversation {
          command.days.reader.keepIndex(of: choice)
          session.controller.library.sightings.willShow(choice)
          return await conversation.describe(image)
        }
        try await command.show(image, size)
      }
      try session.output.flush()
      await command.days.wasShown(choice)
    }
  }

  private nonisolated static let greeting = CommandLineOption(
    "greeting",
    help: "greet at the start of a shell: a small picture, how many there are, and a year ago today"
  )
  private nonisolated static let random = CommandLineOption(
    "random", help: "any favorite, each time another one")
  private nonisolated static let ago = CommandLineOption(
    "ago", value: CommandLineValue("DAYS"),
    help: "the favorite of an earlier day, 1 to \(DailyFavorites.limit) days ago")
  private nonisolated static let path = CommandLineOption(
    "path",
    help: "print the path of a copy of the picture file, in a cache that may be emptied at any time"
  )
  private nonisolated static let link = CommandLineOption(
    "link", value: CommandLineValue("FILE", .files),
    help: "make FILE a symbolic link to a copy of the picture file that stays")

  let session: Session

  private var days: FavoriteOfTheDay {
    FavoriteOfTheDay(
      session,
      FavoritesReader(
        of: controller.library, index: session.places.index, named: session.opening.name))
  }

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

  private func link(_ file: String, to image: RemoteImage) async throws {
    let directory = session.opening.localDirectory ?? .favorites
    let copies = StorageDirectory(url: directory.url.appending(path: "links"))
    let picture = image.dataRepresentation
    let data = try await reading { try await picture.data() }
    do {
      let link = try PictureLink(file, copies: copies)
      try link.lead(to: data, of: picture)
      output.say("\(link.path.forMessage) leads to \(image.name)")
    } catch {
      throw CommandFailure("The link was not made", because: error)
    }
  }

  /// - Parameters:
  ///   - isRandom: whether any favorite is meant.
  ///   - days: the day that is meant: so many days ago; nil for today.
  private func choice(isRandom: Bool, before days: Int?) async throws -> FavoritesReader.Choice {
    // What a session has described counts, too; a failure costs a repetition.
    try? await controller.library.sightings.write()
    let choice: FavoritesReader.Choice? = try await reading {
      if let days {
        let image = try await self.days.favorite(before: days)
        return FavoritesReader.Choice(image)
      }
      guard isRandom else { return try await self.days.today() }
      var generator = SystemRandomNumberGenerator()
      return try await self.days.reader.choose(on: nil, using: &generator)
    }
    guard let choice else {
      throw CommandFailure(
        "\(ActionWords.favorites(0)). panda fetch --keep finds and keeps one", .notFound)
    }
    return choice
  }
}
