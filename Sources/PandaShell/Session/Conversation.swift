internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// Panda in lines: for screen readers, and for terminals that can only print lines.
///
/// It knows what the lines of `--plain` are about: the picture described last, the last list, the
/// last problem. It prints nothing unsolicited, so that the user hears only answers: even after
/// favoriting, it does not fetch another panda.
@MainActor
final class Conversation {
  let session: Session
  /// Whether pictures are named, not described.
  let isQuiet: Bool
  let clock: any Clock<Duration>
  let decoder = PictureDecoder()

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
  /// What the next line answers; nil if nothing was asked.
  var question: Question?
  /// The size of the terminal; nil if nobody reads there, or types.
  var window: @MainActor () -> CellSize? = { nil }
  /// Whether the user has asked to quit.
  var hasEnded = false

  var controller: ImagesController { session.controller }
  var output: Output { session.output }
  var log: Log { session.log }
  var remembered: Remembered { session.remembered }
  /// The sentences for outcomes, using the words of `--plain`.
  var words: ActionWords { session.words }
  /// The worst exit status of all commands so far.
  var status: ExitStatus { output.status }

  init(
    _ session: Session, isQuiet: Bool = false, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.session = session
    self.isQuiet = isQuiet
    self.clock = clock
    session.lines = self
  }

  /// The picture described last.
  ///
  /// A favorite is in its current state in the Store.
  var image: RemoteImage? { shown.map { controller.saved($0) ?? $0 } }

  func now() -> Date { session.now() }

  // MARK: Words

  /// Says a sentence, without its period.
  func say(_ sentence: String) { output.say(sentence) }

  /// Says that something cannot be done, and why, without a period.
  func refuse(_ reason: String, _ status: ExitStatus = .failed) {
    output.fail(CommandFailure(reason, status))
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
    let isDone = await session.attempt(body)
    if !isDone, let failure = output.lastFailure, let cause = failure.cause {
      let what = failure.sentence.components(separatedBy: ": ")[0]
      trouble = Trouble(what, cause, at: now())
    }
    if let recovered = output.recovered {
      output.recovered = nil
      trouble = recovered
    }
    return isDone
  }

  // MARK: Questions

  /// A question that the next line answers.
  struct Question {
    /// The lines that say yes, and those that say only no; any other is a command, too.
    var yes: Set = ["y", "yes"]
    var no: Set = ["", "n", "no"]
    /// What is said unless the answer is yes.
    var refusal: String?
    let perform: @MainActor () async throws -> Void
  }

  /// Asks for a yes before something is done.
  ///
  /// - Parameter verb: what a yes does, such as "move".
  func ask(
    _ words: (question: String, note: String), to verb: String, otherwise refusal: String,
    _ perform: @escaping @MainActor () async throws -> Void
  ) {
    question = Question(refusal: refusal, perform: perform)
    say("\(words.question) \(words.note) Type yes or y to \(verb), anything else to keep")
  }

  // MARK: Pictures

  /// Means the picture that was described last.
  nonisolated static let shownItem = "this"
  /// The fewest digits that distinguish an ID from a number or a word.
  nonisolated static let leastDigitsOfID = 8

  nonisolated static let nothingListed =
    "Nothing was listed yet, so nothing has a number. Type list first"

  /// Returns the picture described last, or the one with a number in the last list; nil for an ID.
  func item(_ id: String) throws(CommandFailure) -> RemoteImage? {
    if id == Self.shownItem {
      guard let image else { throw session.failure(.noPicture) }
      return image
    }
    guard id.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    if let number = Int(id), "\(number)" == id, let list,
      list.indices.contains(number - 1)
    {
      let image = list[number - 1]
      return controller.saved(image) ?? image
    }
    // A number that no list has is an ID; a shorter one may be mistyped.
    if id.count >= Self.leastDigitsOfID { return nil }
    guard let list else { throw CommandFailure(Self.nothingListed, .notFound) }
    throw CommandFailure(
      list.isEmpty
        ? "The last list was empty"
        : list.count == 1
          ? "The last list has number 1 only"
          : "The last list has the numbers 1 to \(list.count)", .notFound)
  }
}
