internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// `panda today --greeting`: a small picture and a line or two, for the start of a shell.
///
/// It reads the favorite of the day and its thumbnail, and chooses it if it is the first to ask. It
/// does not ask the terminal, uses no network and waits for no lock; where it cannot answer, it
/// says nothing.
@MainActor
struct GreetingCommand: SessionCommand {
  let session: Session
  /// The most cells of the picture; nil if they are not named.
  let size: CellSize?

  /// The most cells otherwise; the picture is then at most half as high as the terminal.
  private static let usualSize = CellSize(columns: 32, rows: 10)
  /// The time after which a shell starts without a greeting: the disk is slow, or gone.
  var patience = Duration.seconds(3)

  private struct Greeting {
    let choice: FavoritesReader.Choice
    let line: String
    let credit: String
    let picture: DecodedPicture?
  }

  /// Prints the greeting; the status is always a success, since a shell has just started.
  func run() async {
    guard let directory = session.opening.localDirectory else { return }
    let days = FavoriteOfTheDay(
      session,
      FavoritesReader(in: directory, index: session.places.index, named: session.opening.name))
    let reading = Task { try await greeting(days) }
    let clock = ContinuousClock()
    let start = clock.now
    guard case .success(let greeting?)? = await reading.result(within: patience, on: clock)
    else { return }
    do {
      try print(greeting)
      try output.flush()
    } catch {
      // The reader is gone, or nothing can be written: a shell's start needs no message about it.
    }
    let writing = Task { await days.wasShown(greeting.choice, isOnceADay: true) }
    _ = await writing.result(
      within: max(.zero, patience - start.duration(to: clock.now)), on: clock)
  }

  // MARK: Reading

  /// Reads what to show; nil if there is no favorite.
  private func greeting(_ days: FavoriteOfTheDay) async throws -> Greeting? {
    guard let choice = try await days.today() else { return nil }
    let image = choice.image
    let parts = ImageDescription(image).creditLine
    return Greeting(
      choice: choice,
      line: Self.line(
        try await days.reader.count(),
        years: CalendarDay(session.now()).flatMap { image.years(on: $0) }, name: image.name),
      credit: parts.joined(separator: " · "),
      picture: showsPicture ? await thumbnail(of: image) : nil)
  }

  /// Returns the kept thumbnail, or makes it; nil for a picture that cannot be shown.
  private func thumbnail(of image: RemoteImage) async -> DecodedPicture? {
    // In words, then.
    try? await ThumbnailCache(directory: session.places.thumbnails)
      .thumbnail(
        of: image.dataRepresentation, isWhole: ThumbnailCache.isWhole(image.size),
        decoder: PictureDecoder())
  }

  // MARK: Printing

  /// In a pipe there are only words, unless a way to show pictures is named.
  private var showsPicture: Bool {
    (output.isTerminal && !session.environment.isDumb || session.options.graphics != nil)
      && session.configuration.graphics != .none
  }

  private func print(_ greeting: Greeting) throws {
    if let picture = greeting.picture { try print(picture) }
    let columns = output.isTerminal ? TerminalWindow(of: STDOUT_FILENO).size.columns : .max
    try output.print(greeting.line.shortened(to: columns))
    if greeting.picture != nil, !greeting.credit.isEmpty {
      try output.print(greeting.credit.shortened(to: columns))
    }
  }

  /// Returns the line of a greeting.
  ///
  /// Such as "12 favorite red pandas. Today: Snowy nap".
  static func line(_ count: Int, years: Int?, name: String) -> String {
    let pandas = count == 1 ? "1 favorite red panda" : "\(count) favorite red pandas"
    return "\(pandas). \(years.map(Anniversary.words) ?? "Today"): \(name)"
  }

  private func print(_ picture: DecodedPicture) throws {
    let terminal = ShowTerminal(
      session, knowing: session.remembered.terminals.wrappedValue)
    guard let shown = terminal.output else { return }
    let window = terminal.room
    var size = self.size ?? Self.usualSize
    if output.isTerminal {
      size.columns = min(size.columns, window.columns)
      size.rows = min(size.rows, self.size == nil ? window.rows / 2 : window.rows)
    }
    // Smaller ones are no pictures any more.
    guard size.rows >= 3, size.columns >= 8 else { return }
    size = size.fitting(picture.bitmap.size, cell: terminal.cell)
    try terminal.print(
      shown.prepare(picture.bitmap, encoded: nil, filling: size, cell: terminal.cell).printed)
  }
}
