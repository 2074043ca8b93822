internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Panda in lines: for screen readers, and for terminals that can only print lines.
///
/// It is the view of Model, View, Controller, Store: it owns an ``ImagesController`` and learns the
/// favorites from the Store through it. It prints nothing unsolicited, so that the user hears only
/// answers: even after favoriting, it does not fetch another panda.
@MainActor
final class PlainSession {
  /// Pictures in the order of the last list, for commands with a number.
  struct NumberedList {
    var images: [RemoteImage]
    var isTrash: Bool
  }

  let controller: ImagesController
  let keys: KeyTable
  let environment: TerminalEnvironment
  let remembered: Remembered
  /// Whether pictures are named, not described.
  let isQuiet: Bool
  /// Performs a command of the shell.
  let runInShell: @MainActor (LibraryRequest, Options) async -> ExitStatus
  let clock: any Clock<Duration>
  /// Returns the date.
  let now: () -> Date
  let log: Log
  let decoder = PictureDecoder()
  private let onLine: @MainActor (PlainLine) -> Void

  /// The picture that was described last.
  var shown: RemoteImage?
  /// The known facts about its pixels.
  var look: PictureLook?
  var list: NumberedList?
  var index = FavoritesIndex()
  /// The last problem.
  var trouble: Trouble? { didSet { if let trouble { log.error(trouble) } } }
  /// The request during which a fallback was shown.
  var pending: Task<RemoteImage, any Error>?
  /// Why that request failed, until the user has been told.
  var lateFailure: (any Error)?
  /// Whether the next line answers the question whether to remove all favorites.
  private(set) var isAskingToClear = false
  /// Whether the user has asked to quit.
  private(set) var hasEnded = false
  /// The worst exit status of all commands so far.
  private(set) var status = ExitStatus.done

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - remembered: the values that are kept between launches.
  ///   - isQuiet: whether pictures are named, not described.
  ///   - runInShell: performs a command of the shell.
  ///   - clock: measures waits.
  ///   - now: returns the date.
  ///   - log: receives what happens, with every cause.
  ///   - onLine: receives each line for the user.
  init(
    controller: ImagesController, keys: KeyTable, environment: TerminalEnvironment,
    remembered: Remembered, isQuiet: Bool = false,
    runInShell: @escaping @MainActor (LibraryRequest, Options) async -> ExitStatus = { _, _ in
      .usage
    }, clock: any Clock<Duration> = ContinuousClock(), now: @escaping () -> Date = { Date() },
    log: Log = .off,
    onLine: @escaping @MainActor (PlainLine) -> Void
  ) {
    self.controller = controller
    self.keys = keys
    self.environment = environment
    self.remembered = remembered
    self.isQuiet = isQuiet
    self.runInShell = runInShell
    self.clock = clock
    self.now = now
    self.log = log
    self.onLine = onLine
  }

  /// The sentences for outcomes, using the words of `--plain`.
  let words = ActionWords(names: PlainNames())

  /// The picture described last.
  ///
  /// A favorite is in its current state in the Store.
  var image: RemoteImage? { shown.map { controller.saved($0) ?? $0 } }

  // MARK: Lines

  func say(_ text: String) { onLine(.said(text)) }

  /// Says that something cannot be done, and why.
  func refuse(_ reason: String, _ status: ExitStatus = .failed) {
    onLine(.failure(keys.isForKiosk ? reason.withoutPaths : reason))
    self.status = self.status.worse(status)
  }

  /// Reports a failure, and keeps its cause for the user to look up.
  func fail(_ what: String, _ error: any Error, then: String? = nil) {
    trouble = Trouble(what, error, at: now())
    refuse(
      "\(what): \(userMessage(for: error))." + (then.map { " \($0)." } ?? ""),
      ExitStatus(for: error))
  }

  /// Reports an outcome; returns whether something was changed.
  ///
  /// - Parameter detail: adds to the sentence for a change.
  @discardableResult
  func tell(
    _ outcome: ActionOutcome, _ detail: (String) -> String = { $0 }
  ) -> Bool {
    switch outcome {
    case .done(let change):
      say("\(detail(words.sentence(for: change))).")
      return true
    case .refused(let refusal): refuse(refusal)
    case .failed(let action, let error):
      trouble = Trouble(words.failure(of: action), error, at: now())
      refuse("\(words.sentence(forFailureOf: action, error)).", ExitStatus(for: error))
    }
    return false
  }

  /// Says why nothing was changed.
  func refuse(_ refusal: Refusal) {
    let sentence = "\(words.sentence(for: refusal))."
    switch refusal {
    // The user already has the desired result.
    case .isFavorite, .wasRemoved, .hasThisCaption, .hasTheseTags: say(sentence)
    case .hasNoCaption: say("\(sentence) Type \(PlainWord.caption) and then the text.")
    case .hasNoTags: say("\(sentence) Type \(PlainWord.tags) and then words with spaces between.")
    case .nothingSeenBefore, .hasLeftTrash: refuse(sentence, .notFound)
    case .nothingWentWrong: refuse(sentence, .done)
    default: refuse(sentence)
    }
  }

  /// Performs the command in a line.
  func handle(_ line: LineSplitter.Line) async {
    guard case .text(let text) = line else {
      isAskingToClear = false
      refuse(
        "That line is longer than \(LineSplitter.byteLimit / 1024) KB, so it was left out.", .usage)
      return
    }
    if isAskingToClear {
      isAskingToClear = false
      if await answer(text) { return }
    }
    do throws(PlainMistake) {
      if let command = try PlainCommand(line: text, keys: keys) { await perform(command) }
      if let trouble, trouble.isDamage { _ = await recover(after: trouble) }
    } catch {
      refuse("\(error)", .usage)
    }
  }

  /// Handles the end of the input like `quit`.
  func end() {
    if isAskingToClear { say("Nothing was removed.") }
    isAskingToClear = false
    hasEnded = true
  }

  private func perform(_ command: PlainCommand) async {
    // Fetching tells it itself.
    if case .fetch = command { lateFailure = nil }
    tellLateFailure()
    switch command {
    case .fetch: await fetch()
    case .back: await back()
    case .favorite: await favorite()
    case .remove(let number): await remove(number)
    case .clear: await askToClear()
    case .undo: await undo()
    case .redo: await redo()
    case .list(let filter): await listFavorites(filter)
    case .show(let number): await show(number)
    case .sort: await sort()
    case .trash: await listTrash()
    case .restore(let number): await restore(number)
    case .caption(let text): await setCaption(text)
    case .tags(let text): await setTags(text)
    case .details: await tellDetails()
    case .save(let path): await save(path)
    case .open: await open()
    case .address: printAddress()
    case .credit: printCredit()
    case .hide: await hide()
    case .help(let word): help(word)
    case .problem: tellTrouble()
    case .quit: hasEnded = true
    case .shell(let request, let options):
      status = status.worse(await runInShell(request, options))
    }
  }

  // MARK: Clearing

  private func askToClear() async {
    guard await load() else { return }
    let count = controller.images.count
    guard count > 0 else { return refuse(.nothingToClear) }
    isAskingToClear = true
    let (question, note) = words.clearQuestion(count: count)
    say("\(question) \(note) Type yes or y to move, anything else to keep.")
  }

  /// Takes a line as the answer, and returns whether it was only that.
  private func answer(_ text: String) async -> Bool {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard words != ["yes"], words != ["y"] else {
      tell(await controller.clear())
      return true
    }
    say("Nothing was removed.")
    return words.isEmpty || words == ["no"] || words == ["n"]
  }

  // MARK: Help

  private func help(_ word: PlainWord?) {
    let help = PlainHelp(keys: keys)
    for line in word.map({ [help.line(for: $0)] }) ?? help.lines { say(line) }
  }

  private func tellTrouble() {
    guard let trouble else { return refuse(.nothingWentWrong) }
    say("\(trouble.what), \(ClockTime(trouble.date).words).".sanitized(upTo: 500))
    say("\(trouble.sentence).".sanitized(upTo: 500))
    say("The cause: \(trouble.cause)".sanitized(upTo: 2_000))
  }
}
