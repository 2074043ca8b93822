internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// Reads the favorites for the screen: at the first frame, after a lock, after a lost connection.
///
/// It recovers a damaged file, and has it backed up once a day.
@MainActor
final class FavoritesLoading {
  private let context: CommandContext
  private let whenRead: @MainActor () -> Void
  private var hasBegun = false
  private var isUnderWay = false
  private var hasWelcomed = false
  /// Whether to read again after the read in progress.
  private var readsAgain = false
  /// Whether a locked file is about to be tried again.
  private var willRetry = false
  private var condition = LibraryCondition(retriesLocks: true)
  /// The damage that is being recovered from.
  private var damage: Trouble?
  /// Whether the file was recovered in this run.
  var hasRecovered: Bool { condition.hasRecovered }

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

  /// The delay before a locked file is tried again.
  static let lockedWait = Duration.seconds(1)

  /// Reads the favorites; also retries after a failure.
  func load() async {
    if let picking = context.picking {
      await picking.load(context)
      return whenRead()
    }
    guard !isUnderWay else {
      readsAgain = true
      return
    }
    isUnderWay = true
    do {
      readsAgain = false
      try await read()
      isUnderWay = false
      if !hasRecovered { await backUp() }
    } catch {
      isUnderWay = false
      // A failure from before the recovery says nothing of the new file.
      guard !readsAgain else { return await load() }
      await handle(.failed(error))
    }
  }

  private func read() async throws {
    try await favorites.load()
    retryFailedPictures()
    await handle(.read)
    if !hasWelcomed, !context.model.slideshow.isRunning { welcome() }
    hasWelcomed = true
    // Without the memory of favorites, any may come next.
    try? await controller.library.sightings.haveLoaded()
    if await controller.library.isPolled {
      let consequence = "Connected through a pooler: changes appear within two seconds"
      log.notice(.storage, consequence)
      context.say(.news(consequence))
    }
    whenRead()
    if controller.library.favorites.loadIssues.count > 0 {
      context.say(.problem(ActionWords.unreadable(controller.library.favorites.loadIssues.count)))
      log.error(unreadable: controller.library.favorites.loadIssues)
    }
    try await controller.library.seen.itemsHaveLoaded()
    try await controller.library.emptyTrash()
    try await controller.library.collectionsHaveBeenRead()
  }

  /// Shows whether the server of a shared library is reached.
  func receive(_ connection: StorageConnection) {
    let event: LibraryCondition.Event =
      switch connection {
      case .cutOff(let reason): .cutOff(reason: reason)
      case .connected: .connected
      }
    let action = follow(event)
    Task { await perform(action) }
  }

  /// Recovers the file after another read found damage.
  func recover(after damage: Trouble) async {
    log.error(damage)
    self.damage = damage
    await handle(.foundDamage)
  }

  /// Tells the user what an event means, and does what follows from it.
  private func handle(_ event: LibraryCondition.Event) async { await perform(follow(event)) }

  private func follow(_ event: LibraryCondition.Event) -> LibraryCondition.Action {
    let (notice, action) = condition.handle(event)
    if let notice { show(notice) }
    return action
  }

  private func perform(_ action: LibraryCondition.Action) async {
    switch action {
    case .none: break
    case .read: if hasBegun { await load() }
    case .readLater: loadLater()
    case .recover:
      if !hasRecovered { context.say(.problem(StorageWords.recovering)) }
      do {
        let report = try await controller.library.recover()
        // A read in progress may return old rows.
        readsAgain = readsAgain || isUnderWay
        await handle(.recovered(report))
      } catch {
        await handle(.notRecovered(error))
      }
    }
  }

  private func show(_ notice: LibraryCondition.Notice) {
    let date = context.clock.date
    switch notice {
    case .isReadAgain: context.say(.outcome("Your favorites have been read"))
    case .isLocked(let error):
      context.record(Trouble(StorageWords.unreadable, error, at: date))
      context.say(.problem(StorageWords.retrying(userMessage(for: error))))
    case .isDamaged(let error):
      let trouble = Trouble(StorageWords.unreadable, error, at: date)
      log.error(trouble)
      damage = trouble
    case .isWhole:
      // Another terminal may have recovered it.
      log.notice(.storage, "The favorites file is whole: nothing was recovered")
      context.say(.outcome("The favorites file is whole now; try again"))
    case .wasRecovered(let report):
      guard let damage else { return }
      log.notice(report)
      let recovered = Trouble(recovered: report, after: damage)
      context.record(recovered)
      context.say(.problem(recovered.sentence))
    case .wasNotRecovered(let error): context.fail(StorageWords.notRecovered, error)
    case .cannotBeRead(let error): context.fail(StorageWords.unreadable, error)
    case .isCutOff(let reason):
      favorites.cutOffSince = date
      let trouble = Trouble.cutOff(because: reason, at: date)
      context.record(trouble)
      context.say(.problem(StorageWords.retrying(trouble.what)))
    case .cannotBeReached(let error):
      // Said when the connection was lost; loading begins again when it is back.
      log.error(Trouble(StorageWords.unreadable, error, at: date))
    case .isConnected:
      favorites.cutOffSince = nil
      log.notice(.storage, StorageWords.connected)
      context.say(.outcome(StorageWords.connected))
      retryFailedPictures()
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

  /// Tells what was kept on this day in earlier years, and records the launch.
  private func welcome() {
    let layout = Layout(context.display.size, cell: context.display.cell)
    // If messages and hints share a row, the hints matter more. So does what has happened since.
    if layout.status.row != layout.hints.row, context.model.message == nil, let memory {
      context.say(.news(memory))
    }
    context.remembered.lastLaunch.set(context.clock.date)
  }

  /// The message about favorites kept on this day in earlier years.
  ///
  /// Nil if there are none.
  private var memory: String? {
    guard let anniversary = Anniversary(of: controller.images, on: context.clock.date) else {
      return nil
    }
    return context.keys.sentence(
      anniversary.sentence(author: controller.library.author), then: .favorites(.filter),
      anniversary.hint)
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
