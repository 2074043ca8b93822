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
    let image = options.random ? try await anyImage() : try await imageOfToday()
    switch request {
    case .path:
      try output.print(try await session.path(of: image))
      await session.pictureFiles.removeOldest()
    case .json:
      let record = PictureRecord(image, isFavorite: true)
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
      if showsPicture { try await printThumbnail(of: image) }
      try output.print(try await greeting(image))
    }
  }

  /// In a pipe there are only words, unless a way to show pictures is named.
  private var showsPicture: Bool { output.isTerminal || options.graphics != nil }

  /// The most cells of a greeting's picture.
  private static let greetingSize = CellSize(columns: 32, rows: 10)

  private func printThumbnail(of image: RemoteImage) async throws {
    let printer = PicturePrinter(
      configuration: session.configuration, named: options.graphics,
      size: options.size ?? Self.greetingSize)
    let thumbnails = ThumbnailCache(directory: session.thumbnails)
    _ = try await printer.print(ThumbnailCache.size, words: image.name) { target in
      try await thumbnails.thumbnail(
        of: image.dataRepresentation, covering: target, decoder: PictureDecoder())
    }
  }

  private func greeting(_ image: RemoteImage) async throws -> String {
    let count = try await reading { try await controller.library.count() }
    let pandas = count == 1 ? "1 favorite red panda" : "\(count) favorite red pandas"
    let name = image.name
    let years = CalendarDay(session.now()).flatMap { image.years(on: $0) }
    return "\(pandas). \(years.map(Anniversary.words) ?? "Today"): \(name)"
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
    if let pick = session.remembered.today.wrappedValue, pick.day == day,
      let image = try await reading({ try await controller.library.favorite(pick.address) })
    {
      return image
    }
    try await load()
    guard let image = Self.choice(among: controller.images, on: session.now()) else {
      throw noFavorites
    }
    session.remembered.today.set(TodayPick(day: day, address: image.id))
    // What is not remembered is chosen again, and comes out the same.
    try? await session.remembered.today.flush()  // see above
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
