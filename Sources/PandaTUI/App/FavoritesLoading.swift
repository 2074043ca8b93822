internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// Reads the favorites for the screen: at the first frame, after a lock, after a lost connection.
///
/// It recovers a damaged file, and has it backed up once a day.
@MainActor
final class FavoritesLoading {
  private let context: CommandContext
  /// Called when the favorites have been read.
  private let whenRead: @MainActor () -> Void
  private var hasBegun = false
  private var isUnderWay = false
  /// Whether a locked file is about to be tried again.
  private var willRetry = false
  private var recovery: Task<Bool, Never>?
  /// Whether the file was recovered in this run.
  private(set) var hasRecovered = false

  private var favorites: FavoritesPresenter { context.favorites }
  private var carousel: FavoritesCarouselView { context.carousel }
  private var controller: ImagesController { context.favorites.controller }
  private var log: Log { context.log }

  init(_ context: CommandContext, whenRead: @escaping @MainActor () -> Void) {
    self.context = context
    self.whenRead = whenRead
  }

  /// Begins to read the favorites, the first time.
  func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    Task { await load() }
  }

  /// How long a locked file is left alone before it is tried again.
  static let lockedWait = Duration.seconds(1)

  /// Reads the favorites; also retries after a failure.
  func load() async {
    guard !isUnderWay else { return }
    isUnderWay = true
    defer { isUnderWay = false }
    let what = "Opening your favorites failed"
    let hadFailed = favorites.problem != nil
    do {
      try await read()
      await backUp()
    } catch let error where ErrorKind(of: error) == .busy && !controller.imagesHaveLoaded {
      // Said once; what the user does meanwhile has its own messages.
      if !hadFailed {
        context.fail(what, error)
        context.say(.problem("\(userMessage(for: error)). Panda keeps trying"))
      }
      loadLater()
    } catch  where favorites.cutOffSince != nil {
      // Said when the connection was lost; loading begins again when it is back.
      log.error(Trouble(what, error, at: context.clock.date))
    } catch {
      let trouble = Trouble(what, error, at: context.clock.date)
      guard trouble.isDamage, await recover(after: trouble) else {
        return context.fail(what, error)
      }
      do {
        try await read(isRecovered: true)
      } catch {
        context.fail(what, error)
      }
    }
  }

  private func read(isRecovered: Bool = false) async throws {
    let hadFailed = favorites.problem != nil
    try await favorites.load()
    retryFailedPictures()
    if hadFailed, !isRecovered { context.say(.outcome("Your favorites have been read")) }
    welcome()
    if await controller.library.isPolled {
      let consequence = "A pooler is between: what others change shows within two seconds"
      log.notice(.storage, consequence)
      context.say(.news(consequence))
    }
    whenRead()
    if controller.library.favorites.loadIssues.count > 0 {
      context.say(.problem(context.words.unreadable(controller.library.favorites.loadIssues.count)))
      log.error(unreadable: controller.library.favorites.loadIssues)
    }
    try await controller.library.seen.itemsHaveLoaded()
    try await controller.library.emptyTrash()
    try await controller.library.collectionsHaveBeenRead()
  }

  /// Shows whether the server of a shared library is reached.
  func take(_ connection: StorageConnection) {
    switch connection {
    case .cutOff(let reason):
      guard favorites.cutOffSince == nil else { return }
      favorites.cutOffSince = context.clock.date
      let trouble = Trouble.cutOff(because: reason, at: context.clock.date)
      context.record(trouble)
      context.say(.problem("\(trouble.what). Panda keeps trying"))
    case .connected:
      guard favorites.cutOffSince != nil else { return }
      favorites.cutOffSince = nil
      log.notice(.storage, "Connected to the shared favorites again")
      context.say(.outcome("Connected to the shared favorites again"))
      retryFailedPictures()
      if hasBegun, !controller.imagesHaveLoaded { Task { await load() } }
    }
  }

  /// Loads pictures again whose favorites file or server was away.
  private func retryFailedPictures() {
    context.cardView.retryFailed()
    carousel.loader?.retryFailed()
    context.zoom.retryFailed()
  }

  private func loadLater() {
    guard !willRetry else { return }
    willRetry = true
    context.clock.after(Self.lockedWait) { [weak self] in
      self?.willRetry = false
      Task { await self?.load() }
    }
  }

  // MARK: The greeting

  /// Greets the user, and records the launch.
  private func welcome() {
    let layout = Layout(context.display.size, cell: context.display.cell)
    let lastLaunch = context.remembered.lastLaunch
    // If messages and hints share a row, the hints matter more.
    if layout.status.row != layout.hints.row {
      let greeting = lastLaunch.wrappedValue.map {
        "Welcome back. You were here last on \(PictureDay($0).words)"
      }
      context.say(.news(memory ?? greeting ?? firstLine))
    }
    lastLaunch.set(context.clock.date)
  }

  /// What was kept on this day of earlier years; in front of strangers it is nobody's business.
  private var memory: String? {
    guard !context.keys.isForKiosk,
      let anniversary = Anniversary(of: controller.images, on: context.clock.date)
    else { return nil }
    return context.keys.sentence(
      anniversary.sentence(author: controller.library.author), then: .favorites(.filter),
      anniversary.hint)
  }

  /// The message of the first launch: the three keys that matter.
  private var firstLine: String {
    let keys: [(Command, String)] = [
      (.card(.fetch), "fetches another panda"), (.favorites(.favorite), "keeps it"),
      (.program(.help), "shows all keys"),
    ]
    return keys.flatMap { context.keys.hintLine($0, $1) }.joined(separator: " · ")
  }

  // MARK: Recovery and backups

  /// Recovers the file, or waits for the end of a recovery that has begun.
  ///
  /// - Returns: whether the file can be read again.
  @discardableResult
  func recover(after damage: Trouble) async -> Bool {
    if let recovery { return await recovery.value }
    let recovery = Task { await recoverOnce(after: damage) }
    self.recovery = recovery
    defer { self.recovery = nil }
    return await recovery.value
  }

  private func recoverOnce(after damage: Trouble) async -> Bool {
    log.error(damage)
    // A read that failed before a recovery may come to light after it: the report stays.
    let isFirst = !hasRecovered
    if isFirst {
      context.say(.problem("Your favorites file is damaged: reading what can be read of it"))
    }
    do {
      guard let report = try await controller.library.recover() else {
        // Another terminal may have recovered it.
        log.notice(.storage, "The favorites file is whole: nothing was recovered")
        if isFirst { context.say(.outcome("The favorites file is whole now; try again")) }
        return true
      }
      let recovered = Trouble(recovered: report, after: damage)
      log.notice(report)
      context.record(recovered)
      hasRecovered = true
      context.say(.problem(recovered.sentence))
      return true
    } catch {
      context.fail("\(damage.what), and the file was not recovered", error)
      return false
    }
  }

  /// Copies the rows of all stores, once a day, beside what the user does.
  private func backUp() async {
    do {
      let copy = try await controller.library.backUp()
      if let copy { log.notice(.storage, "Backed up as \(copy.path)") }
    } catch {
      context.record(Trouble("Your favorites were not backed up", error, at: context.clock.date))
    }
  }
}
