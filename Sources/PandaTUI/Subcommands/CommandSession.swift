internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// Performs a command on the favorites.
///
/// It is a view of Model, View, Controller, Store like the screen: it owns an ``ImagesController``,
/// and what it changes shows in every open Panda.
@MainActor
struct CommandSession {
  let controller: ImagesController
  let configuration: Configuration
  var options: Options
  let remembered: Remembered
  var output: CommandOutput
  let environment: TerminalEnvironment
  /// The copies of pictures for other programs.
  let pictureFiles: PictureFileCache
  let thumbnails: StorageDirectory
  /// Creates the client for addresses that the user names.
  let client: @MainActor () -> HTTPClient
  let now: @Sendable () -> Date
  /// Opens the libraries of `panda copy`.
  var opening: LibraryOpening {
    LibraryOpening(configuration: configuration, dataDirectory: options.dataDirectory)
  }

  var names: any ActionNames = SubcommandNames()
  /// Returns the picture that the user means by an ID of a session, such as a number of its last
  /// list; nil for any other ID.
  ///
  /// - Throws: ``CommandFailure`` if there is no such picture.
  var item: @MainActor (String) throws -> RemoteImage? = { _ in nil }

  /// Whether changes that cannot be saved are kept as long as the session lasts.
  var keepsInMemory = false

  var words: ActionWords { ActionWords(names: names) }

  /// Performs the request as the only one of a process.
  ///
  /// - Returns: the worst exit status.
  func run(_ request: LibraryRequest) async -> ExitStatus {
    if let missing = StorageWords.missing(controller.library.exposure) {
      output.fail(CommandFailure(missing, .done))
    }
    let watching = Task { await tellCutOff() }
    await attempt { try await perform(request) }
    watching.cancel()
    Shortage.hasAnswered(output.status)
    await controller.library.close()
    return output.status
  }

  /// Says that the server of a shared library is gone, while a command waits for its return.
  ///
  /// One that ends with that says so itself.
  private func tellCutOff(clock: some Clock<Duration> = ContinuousClock()) async {
    guard controller.library.isShared else { return }
    let favorites = controller.library.favorites
    for await connection in Watch({ favorites.connection }) {
      guard case .cutOff(let reason) = connection else { continue }
      do { try await clock.sleep(for: .seconds(1)) } catch { return }
      guard favorites.connection == connection else { continue }
      return output.say("panda: \(StorageWords.retrying(reason)). Ctrl-C gives up")
    }
  }

  /// Does something, and says why it failed; returns whether it did not.
  @discardableResult
  func attempt(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      try output.flush()
      return true
    } catch is CommandOutput.Closed {
      // The reader has seen enough.
      return false
    } catch {
      // Earlier output belongs to this command.
      try? output.flush()  // the next line finds that the reader is gone
      output.fail(CommandFailure(nil, because: error))
      return false
    }
  }

  /// Performs a request.
  ///
  /// - Throws: ``CommandFailure``, or any error that has no words yet.
  func perform(_ request: LibraryRequest) async throws {
    try requireStorage(for: request)
    switch request {
    case .fetch(let request): try await FetchCommand(session: self).run(request)
    case .add(let places): try await AddCommand(session: self).run(places)
    case .list(let request):
      try await list(request)
      if request.form == .path { await pictureFiles.removeOldest() }
    case .show(let id, let asBytes): try await show(id, asBytes: asBytes)
    case .card(let id, let place, let replaces):
      try await writeCard(of: id, to: place, replaces: replaces)
    case .caption(let selection, let text): try await setCaption(text, of: selection)
    case .tag(let selection, let changes): try await changeTags(changes, of: selection)
    case .open(let id): try await open(id)
    case .remove(let selection): try await remove(selection)
    case .restore(let selection): try await restore(selection)
    case .purge(let selection, let isConfirmed):
      try await purge(selection, isConfirmed: isConfirmed)
    case .undo(let count): try await undo(count)
    case .redo(let count): try await redo(count)
    case .today(let request): try await TodayCommand(session: self).run(request)
    case .copy(let source, let target):
      try await ExchangeCommands(session: self).copy(from: source, to: target)
    case .stats: try await stats()
    case .collections(let request): try await collections(request)
    case .watch: try await WatchCommand(session: self).run()
    case .export(let place, let filter, let replaces, let withoutMetadata):
      try await ExchangeCommands(session: self).export(
        to: place, matching: filter, replaces: replaces, withoutMetadata: withoutMetadata)
    case .importing(let place):
      try await ExchangeCommands(session: self).importFavorites(from: place)
    case .backup(let place, let replaces):
      try await ExchangeCommands(session: self).backUp(to: place, replaces: replaces)
    }
  }

  /// Refuses what would read, or change, favorites that are only in the memory of this process.
  private func requireStorage(for request: LibraryRequest) throws {
    switch request.useOfFavorites {
    case .none: return
    case .reading: try requireReadable()
    case .changing where keepsInMemory: try requireReadable()
    case .changing:
      if let reason = controller.library.reasonNotSaved {
        throw CommandFailure(
          controller.library.reasonNotReadable == nil
            ? "Nothing was changed" : StorageWords.unreadable,
          because: reason)
      }
    }
  }

  /// Refuses what would show favorites that are only in the memory of this process.
  func requireReadable() throws {
    if let reason = controller.library.reasonNotReadable {
      throw CommandFailure(
        "\(StorageWords.unreadable): \(userMessage(for: reason)). \(StorageWords.remedy)",
        ExitStatus(for: reason), cause: reason)
    }
  }

  // MARK: Reading

  /// Waits until all favorites have been read.
  ///
  /// A damaged file is recovered first.
  func load() async throws {
    try requireReadable()
    try await reading { try await controller.imagesHaveBeenRead() }
    let issues = controller.library.favorites.loadIssues.count
    if issues > 0 { output.failOnce(CommandFailure(words.unreadable(issues), .failed)) }
  }

  /// Reads something of the favorites; if their file is damaged, after recovering it.
  func reading<Result>(_ read: () async throws -> Result) async throws -> Result {
    var condition = LibraryCondition(retriesLocks: false)
    while true {
      do {
        return try await read()
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        let (notice, action) = condition.handle(.failed(error))
        if case .wasNotRecovered? = notice {
          throw CommandFailure(StorageWords.notRecovered, because: error)
        }
        guard action == .recover else {
          throw CommandFailure(StorageWords.unreadable, because: error)
        }
        let report = try await recover(after: Trouble(StorageWords.unreadable, error, at: now()))
        _ = condition.handle(.recovered(report))  // it is read again anyway
      }
    }
  }

  /// Recovers a damaged file, and says what was recovered.
  @discardableResult
  func recover(after damage: Trouble) async throws -> RecoveryReport? {
    output.log.error(damage)
    do {
      guard let report = try await controller.library.recover() else { return nil }
      output.log.notice(report)
      let recovered = Trouble(recovered: report, after: damage)
      output.recovered = recovered
      output.fail(
        CommandFailure(recovered.sentence, report.isComplete ? .done : .failed))
      return report
    } catch {
      throw CommandFailure(StorageWords.notRecovered, because: error)
    }
  }

  // MARK: Outcomes

  /// Returns what `--json` prints of a picture that is not in the trash.
  func record(_ image: RemoteImage, isFavorite: Bool) -> PictureRecord {
    PictureRecord(image, isFavorite: isFavorite, named: configuration.namedSources)
  }

  func failure(_ refusal: Refusal) -> CommandFailure {
    CommandFailure(words.sentence(for: refusal), .failed)
  }

  /// Reports an outcome.
  ///
  /// - Parameter name: the name of the picture that it is about.
  func tell(_ outcome: ActionOutcome, of name: String? = nil) throws {
    let subject = name.map { "\($0.sanitized(upTo: 60)): " } ?? ""
    switch outcome {
    case .done(let change): output.say(subject + words.sentence(for: change))
    case .refused(let refusal):
      let sentence = subject + words.sentence(for: refusal)
      switch refusal {
      // The user already has the desired result.
      case .isFavorite, .wasRemoved, .hasThisCaption, .hasTheseTags, .hasNoCaption, .hasNoTags:
        output.say(sentence)
      case .nothingToUndo, .nothingToRedo, .nothingToClear, .hasLeftTrash:
        throw CommandFailure(sentence, .notFound)
      default: throw CommandFailure(sentence, .failed)
      }
    case .failed(let action, let error):
      throw CommandFailure(
        subject + words.sentence(forFailureOf: action, error), ExitStatus(for: error), cause: error)
    }
  }
}
