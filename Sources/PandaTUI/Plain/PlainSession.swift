internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Panda in lines: for screen readers, and for terminals that can only print lines.
///
/// It is the view of Model, View, Controller, Store: it owns an ``ImagesController`` and learns the
/// favorites from the Store through it. It prints nothing unsolicited, so that the user hears only
/// answers: even after favoriting, it does not fetch another panda. What the shell does as well, a
/// ``CommandSession`` does for it.
@MainActor
final class PlainSession {
  private(set) var commands: CommandSession
  /// Whether pictures are named, not described.
  let isQuiet: Bool
  let clock: any Clock<Duration>
  let log: Log
  let decoder = PictureDecoder()
  private let parser: PlainLineParser

  /// The picture that was described last.
  var shown: RemoteImage?
  var look: PictureLook?
  /// The pictures of the last list, for commands with a number; nil before the first.
  var list: [RemoteImage]?
  var index = FavoritesIndex()
  var trouble: Trouble? { didSet { if let trouble { log.error(trouble) } } }
  /// The request during which a fallback was shown.
  var pending: Task<RemoteImage, any Error>?
  /// The reason why that request failed, until it has been reported.
  var lateFailure: (any Error)?
  /// Whether the next line answers the question whether to remove all favorites.
  private(set) var isAskingToClear = false
  /// Whether the user has asked to quit.
  private(set) var hasEnded = false

  var controller: ImagesController { commands.controller }
  var keys: KeyTable { commands.configuration.keyTable }
  var remembered: Remembered { commands.remembered }
  /// The sentences for outcomes, using the words of `--plain`.
  var words: ActionWords { commands.words }
  /// The worst exit status of all commands so far.
  var status: ExitStatus { commands.output.status }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - commands: performs what the shell does as well; its output and its names are replaced.
  ///   - isQuiet: whether pictures are named, not described.
  ///   - clock: measures waits.
  ///   - log: receives what happens, with every cause.
  ///   - onLine: receives each line for the user.
  init(
    _ commands: CommandSession, isQuiet: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(), log: Log = .off,
    onLine: @escaping @MainActor (PlainLine) -> Void
  ) {
    self.commands = commands
    self.isQuiet = isQuiet
    self.clock = clock
    self.log = log
    parser = PlainLineParser(keys: commands.configuration.keyTable)
    self.commands.output = CommandOutput(log: log, lines: onLine)
    self.commands.names = PlainNames()
    self.commands.keepsInMemory = true
    self.commands.item = { [weak self] in try self?.item($0) }
  }

  /// The picture described last.
  ///
  /// A favorite is in its current state in the Store.
  var image: RemoteImage? { shown.map { controller.saved($0) ?? $0 } }

  func now() -> Date { commands.now() }

  // MARK: Lines

  /// Says a sentence, without its period.
  func say(_ sentence: String) { commands.output.say(sentence) }

  /// Says that something cannot be done, and why, without a period.
  func refuse(_ reason: String, _ status: ExitStatus = .failed) {
    commands.output.fail(CommandFailure(reason, status))
  }

  /// Reports a failure, and keeps its cause for the user to look up.
  func fail(_ what: String, _ error: any Error, then: String? = nil) {
    trouble = Trouble(what, error, at: now())
    refuse(
      "\(what): \(userMessage(for: error))" + (then.map { ". \($0)" } ?? ""),
      ExitStatus(for: error))
  }

  /// Does something, and says why it failed; returns whether it did not.
  @discardableResult
  func attempt(_ body: () async throws -> Void) async -> Bool {
    let isDone = await commands.attempt(body)
    if !isDone, let failure = commands.output.lastFailure, let cause = failure.cause {
      let what = failure.sentence.components(separatedBy: ": ")[0]
      trouble = Trouble(what, cause, at: now())
    }
    if let recovered = commands.output.recovered {
      commands.output.recovered = nil
      trouble = recovered
    }
    return isDone
  }

  /// Recovers the file if the last problem was that it is damaged.
  private func recoverIfDamaged() async {
    guard let damage = trouble, damage.isDamage, damage.what != StorageWords.notRecovered else {
      return
    }
    await attempt { try await commands.recover(after: damage) }
    // The file is whole: another program has recovered it.
    if trouble?.isDamage == true, trouble?.what == damage.what { trouble = nil }
  }

  func handle(_ line: LineSplitter.Line) async {
    guard case .text(let text) = line else {
      isAskingToClear = false
      return refuse(
        "That line is longer than \(LineSplitter.byteLimit / 1024) KB, so it was left out",
        .usage)
    }
    if isAskingToClear {
      isAskingToClear = false
      if await answer(text) { return }
    }
    await attempt {
      do {
        if let invocation = try parser.parse(text) { try await perform(invocation) }
      } catch let error as UsageError {
        throw CommandFailure(
          error.problem.prefix(1).uppercased() + error.problem.dropFirst(), .usage)
      }
    }
    await recoverIfDamaged()
  }

  /// Handles the end of the input like `quit`.
  func end() {
    if isAskingToClear { say("Nothing was removed") }
    isAskingToClear = false
    hasEnded = true
  }

  private func perform(_ invocation: Invocation) async throws {
    if case .library(let options, .fetch(let request)) = invocation, request.output == nil,
      !request.shows, !options.json
    {
      // It reports a late failure itself.
      lateFailure = nil
      return try await fetch(request)
    }
    tellLateFailure()
    switch invocation {
    case .session(let request): try await perform(request)
    case .library(let options, .list(let request))
    where request.form == .line && !options.json && !request.isNullTerminated:
      try await list(request)
    case .library(let options, .show(let id, asBytes: false)) where options.size == nil:
      await describe(try await commands.favoriteOrTrashed(id))
    case .library(let options, .today(.picture)):
      try commands.requireReadable()
      var commands = commands
      commands.options = options
      await describe(try await TodayCommand(session: commands).image())
    case .library(_, .show(_, asBytes: true)), .library(_, .card(_, to: "-", _)):
      throw Self.onlyLines
    case .library(_, .fetch(let request)) where request.output == "-": throw Self.onlyLines
    case .library(_, .add(let places)) where places.contains("-"):
      throw CommandFailure("- is standard input, which has your commands here", .usage)
    case .library(let options, let request):
      var commands = commands
      commands.options = options
      try await commands.perform(request)
    case .sources(let options, let request):
      let status = await SourcesCommand.run(
        request, asJSON: options.json, commands.configuration, library: controller.library,
        log: log)
      commands.output.note(ExitStatus(rawValue: status) ?? .failed)
    case .help(let name): try help(name?.rawValue)
    default: break
    }
  }

  private static let onlyLines = CommandFailure(
    "A session prints lines only; the shell prints the bytes of a picture", .usage)

  /// Describes new pandas, and keeps them if that is wanted: never a drawing in place of one.
  private func fetch(_ request: FetchRequest) async throws {
    for _ in 1...request.count {
      let isNew = await fetch()
      guard request.keeps else { continue }
      guard isNew else { return }
      try await favorite()
    }
  }

  private func perform(_ request: SessionRequest) async throws {
    switch request {
    case .back: try await back()
    case .favorite: try await favorite()
    case .clear: try await askToClear()
    case .hide(let id): try await hide(id)
    case .sort(let order):
      remembered.order.set(order ?? remembered.order.wrappedValue.next)
      try await list(ListRequest())
    case .tags(let id, let text):
      try await commands.load()
      let image = try await commands.favorite(id)
      try commands.tell(await controller.setTags(text, of: image), of: image.name)
    case .details(let id): try await tellDetails(of: picture(id))
    case .save(let id, let path): try await save(picture(id), as: path)
    case .address(let id): try await commands.output.print(picture(id).url.absoluteString)
    case .credit(let id):
      let line = CreditLine(try await picture(id), named: commands.configuration.namedSources)
      try commands.output.print(line.text)
    case .help(let word): try help(word)
    case .problem: try tellTrouble()
    case .quit: hasEnded = true
    }
  }

  // MARK: Favorites

  /// Makes the picture described last a favorite.
  private func favorite() async throws {
    try commands.requireReadable()
    guard let image else { throw commands.failure(.noPicture) }
    // A picture that was only named has not been decoded yet.
    if look == nil { look = await PictureLook.look(at: image.dataRepresentation, with: decoder) }
    let outcome = await controller.favorite(image, isDamaged: look?.isDamaged == true)
    if case .done(let change) = outcome {
      return say("\(words.sentence(for: change)). You have \(controller.images.count)")
    }
    try commands.tell(outcome)
  }

  private func askToClear() async throws {
    try await commands.load()
    let count = controller.images.count
    guard count > 0 else { throw commands.failure(.nothingToClear) }
    isAskingToClear = true
    let (question, note) = words.clearQuestion(count: count)
    say("\(question) \(note) Type yes or y to move, anything else to keep")
  }

  /// Takes a line as the answer, and returns whether it was only that.
  private func answer(_ text: String) async -> Bool {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard words != ["yes"], words != ["y"] else {
      await attempt { try commands.tell(await controller.clear()) }
      return true
    }
    say("Nothing was removed")
    return words.isEmpty || words == ["no"] || words == ["n"]
  }

  // MARK: Help

  private func help(_ word: String?) throws {
    let help = PlainHelp(parser: parser)
    var lines = word == nil ? help.lines : help.otherLines
    if let word, word != "all" {
      let command = try parser.command(typed: word)
      lines = [help.line(for: command)]
    }
    for line in lines { try commands.output.print(line) }
  }

  private func tellTrouble() throws {
    guard let trouble else { return refuse(words.sentence(for: .nothingWentWrong), .done) }
    say("\(trouble.what), \(ClockTime(trouble.date).words)".sanitized(upTo: 500))
    say(trouble.sentence.sanitized(upTo: 500))
    try commands.output.print("The cause: \(trouble.cause)".sanitized(upTo: 2_000))
  }
}
