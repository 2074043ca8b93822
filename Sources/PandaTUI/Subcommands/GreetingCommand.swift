internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// `panda today --greeting`: a small picture and a line or two, for the start of a shell.
///
/// It waits for nothing: it neither opens the library nor asks the terminal, but shows what was
/// prepared (``GreetingRecord``), and has the next greeting prepared where that is outdated.
@MainActor
struct GreetingCommand {
  let options: Options
  let configuration: Configuration
  let environment: TerminalEnvironment
  /// Returns the date.
  let now: () -> Date
  var output = CommandOutput()
  var file = GreetingRecord.standardFile
  var thumbnails = ThumbnailCache.standardDirectory

  /// The most cells of the picture, which is also at most half as high as the terminal.
  private static let size = CellSize(columns: 32, rows: 10)
  /// The milliseconds that a first greeting waits for its preparation.
  ///
  /// What takes longer is for the next one. In a pipe no shell waits.
  private var patience: Int32 { output.isTerminal ? 20 : 5_000 }
  /// The age of a record that is prepared again although its library is unchanged or on a server.
  private static let greatestAge = 3_600.0
  /// The least time between two preparations that did not help.
  private static let pause = 600.0

  /// Prints the greeting; the status is always a success, since a shell has just started.
  func run() async {
    signal(SIGPIPE, SIG_IGN)
    var isNew = false
    var (record, picture) = await prepared()
    let today = record?.day(PictureDay(now()).numbers)
    let lacksPicture = showsPicture && picture == nil && today != nil
    let wasEmptied = lacksPicture && today?.isPictured == true && record?.problem == nil
    if wasEmptied || isOutdated(record, lacksPicture: lacksPicture) {
      let preparation = Preparation(options)
      if today == nil || lacksPicture, preparation?.hasEnded(within: patience) == true {
        isNew = record == nil
        (record, picture) = await prepared()
      }
      preparation?.leave()
    }
    do {
      try print(record, picture, isNew: isNew)
      try output.flush()
    } catch {
      // The reader is gone, or nothing can be written: a shell's start needs no message about it.
    }
  }

  /// Returns the record about the library in use, and the thumbnail of the day.
  private func prepared() async -> (record: GreetingRecord?, picture: DecodedPicture?) {
    guard let record = GreetingRecord(file: file), record.library == library.name else {
      return (nil, nil)
    }
    guard showsPicture, let day = record.day(PictureDay(now()).numbers),
      let digest = ContentDigest(hexadecimal: day.digest)
    else { return (record, nil) }
    let cache = ThumbnailCache(directory: thumbnails)
    return (record, await cache.kept(digest, decoder: PictureDecoder()))
  }

  private var library: UnopenedLibrary {
    UnopenedLibrary(configuration, dataDirectory: options.dataDirectory)
  }

  private func isOutdated(_ record: GreetingRecord?, lacksPicture: Bool) -> Bool {
    guard let record, record.stamp == library.stamp else { return true }
    let age = now().timeIntervalSince(record.preparedAt)
    // A clock that was wrong then says nothing.
    guard age >= 0 else { return true }
    if age > Self.greatestAge, record.stamp == nil { return true }
    // The day after tomorrow: a shell that is opened then finds something.
    let lacksDay = record.count > 0 && record.day(PictureDay(now() + 2 * 86_400).numbers) == nil
    return age > Self.pause && (lacksDay || lacksPicture || record.problem != nil)
  }

  // MARK: Printing

  /// In a pipe there are only words, unless a way to show pictures is named.
  private var showsPicture: Bool {
    (output.isTerminal && !environment.isDumb || options.graphics != nil)
      && configuration.graphics != .none
  }

  /// - Parameter isNew: whether there was no record before: then the lack of favorites is said.
  private func print(
    _ record: GreetingRecord?, _ picture: DecodedPicture?, isNew: Bool
  ) throws {
    guard let record else {
      // Once: the next greeting has what is being prepared.
      if output.isTerminal { try output.print("Your favorites greet you from the next shell on.") }
      return
    }
    guard let today = record.day(PictureDay(now()).numbers) else {
      if let problem = record.problem {
        output.say("panda: \(problem)")
      } else if record.count == 0, isNew, output.isTerminal {
        try output.print("\(ActionWords.favorites(0)). panda finds red pandas")
      }
      return
    }
    if let picture { try print(picture) }
    let columns = output.isTerminal ? TerminalWindow(of: STDOUT_FILENO).size.columns : .max
    let line = Self.line(record.count, years: today.years, name: today.name)
    try output.print(output.isTerminal ? line.shortened(to: columns) : line)
    if picture != nil, !today.credit.isEmpty {
      try output.print(today.credit.shortened(to: columns))
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
      configuration, named: options.graphics, knowing: Remembered.terminals().wrappedValue)
    guard let shown = terminal.output else { return }
    let window = terminal.room
    var size = options.size ?? Self.size
    if output.isTerminal {
      size.columns = min(size.columns, window.columns)
      size.rows = min(size.rows, options.size == nil ? window.rows / 2 : window.rows)
    }
    // Smaller ones are no pictures any more.
    guard size.rows >= 3, size.columns >= 8 else { return }
    size = PicturePrinter.fitted(ThumbnailCache.size, in: size, cell: terminal.cell)
    try terminal.print(
      shown.prepare(picture.bitmap, encoded: nil, filling: size, cell: terminal.cell).printed)
  }

  // MARK: Preparing

  /// A preparation in another process, which this one can leave at any time.
  private struct Preparation {
    /// Is at its end when the process is.
    private let end: Int32

    /// Starts it, in a session of its own and without the terminal.
    init?(_ options: Options) {
      var words = ["panda", "today", "--prepare"]
      if let directory = options.dataDirectory { words += ["--data-dir", directory] }
      if let configuration = options.configurationFile { words += ["--config", configuration] }
      switch options.library {
      case .local: words += ["--library", "local"]
      case .server(let address): words += ["--library", address.text]
      case nil: break
      }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      // It is not waited for: when this process ends, init reaps it.
      let process = try? startProgram("/proc/self/exe", words, output: ends[1])  // nothing then
      close(ends[1])
      guard process != nil else {
        close(ends[0])
        return nil
      }
      end = ends[0]
    }

    /// Returns whether it ends within so many milliseconds.
    func hasEnded(within milliseconds: Int32) -> Bool {
      var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      return poll(&waiting, 1, milliseconds) > 0
    }

    func leave() { close(end) }
  }
}
