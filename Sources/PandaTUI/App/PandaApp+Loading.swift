internal import PandaCore
internal import Pantry
internal import TerminalKit

/// Reading the favorites: at the first screen, after a lock, after a lost connection.
extension PandaApp {
  /// How far it is.
  struct Loading {
    var hasBegun = false
    var isUnderWay = false
    /// Whether a locked file is about to be tried again.
    var willRetry = false
  }

  /// Begins to read the favorites, the first time.
  func beginLoading() {
    guard !loading.hasBegun else { return }
    loading.hasBegun = true
    Task { await load() }
  }

  /// How long a locked file is left alone before it is tried again.
  static let lockedWait = Duration.seconds(1)

  /// Reads the favorites; also retries after a failure.
  func load() async {
    guard !loading.isUnderWay else { return }
    loading.isUnderWay = true
    defer { loading.isUnderWay = false }
    let what = "Opening your favorites failed"
    let hadFailed = carousel.problem != nil
    do {
      try await readFavorites()
      await backUp()
    } catch let error where ExitStatus(for: error) == .busy && !carousel.controller.imagesHaveLoaded
    {
      // Said once; what the user does meanwhile has its own messages.
      if !hadFailed {
        fail(what, error)
        say(.problem("\(userMessage(for: error)). Panda keeps trying"))
      }
      loadLater()
    } catch  where carousel.cutOffSince != nil {
      // Said when the connection was lost; loading begins again when it is back.
      log.error(Trouble(what, error, at: clock.date))
    } catch {
      let trouble = Trouble(what, error, at: clock.date)
      guard trouble.isDamage, await recover(after: trouble) else { return fail(what, error) }
      do {
        try await readFavorites(isRecovered: true)
      } catch {
        fail(what, error)
      }
    }
  }

  private func readFavorites(isRecovered: Bool = false) async throws {
    let controller = carousel.controller
    let hadFailed = carousel.problem != nil
    try await carousel.load()
    retryFailedPictures()
    if hadFailed, !isRecovered { say(.outcome("Your favorites have been read")) }
    welcome()
    if await controller.isPolled {
      let consequence = "A pooler is between: what others change shows within two seconds"
      log.notice(.storage, consequence)
      say(.news(consequence))
    }
    performDeferred()
    if controller.unreadableCount > 0 {
      say(.problem(ActionWords(names: keys).unreadable(controller.unreadableCount)))
      log.error(unreadable: controller.unreadable)
    }
    try await controller.seenHaveBeenRead()
    try await controller.emptyTrash()
    try await controller.collectionsHaveBeenRead()
  }

  /// Shows whether the server of a shared library is reached.
  func take(_ connection: StorageConnection) {
    switch connection {
    case .cutOff(let reason):
      guard carousel.cutOffSince == nil else { return }
      carousel.cutOffSince = clock.date
      let trouble = Trouble.cutOff(because: reason, at: clock.date)
      keep(trouble)
      say(.problem("\(trouble.what). Panda keeps trying"))
    case .connected:
      guard carousel.cutOffSince != nil else { return }
      carousel.cutOffSince = nil
      log.notice(.storage, "Connected to the shared favorites again")
      say(.outcome("Connected to the shared favorites again"))
      retryFailedPictures()
      if loading.hasBegun, !carousel.controller.imagesHaveLoaded { Task { await load() } }
    }
  }

  /// Loads pictures again whose favorites file or server was away.
  private func retryFailedPictures() {
    cardView.retryFailed()
    carousel.loader?.retryFailed()
    zoom.retryFailed()
  }

  private func loadLater() {
    guard !loading.willRetry else { return }
    loading.willRetry = true
    clock.after(Self.lockedWait) { [weak self] in
      self?.loading.willRetry = false
      Task { await self?.load() }
    }
  }

  /// Greets the user, and records the launch.
  private func welcome() {
    let layout = Layout(display.size, cell: display.cell)
    // If messages and hints share a row, the hints matter more.
    if layout.status.row != layout.hints.row {
      let greeting = remembered.lastLaunch.wrappedValue.map {
        "Welcome back. You were here last on \(PictureDay($0).words)"
      }
      say(.news(memory ?? greeting ?? firstLine))
    }
    remembered.lastLaunch.set(clock.date)
  }

  /// What was kept on this day of earlier years; in front of strangers it is nobody's business.
  private var memory: String? {
    guard !keys.isForKiosk,
      let anniversary = Anniversary(of: carousel.controller.images, on: clock.date)
    else { return nil }
    return keys.sentence(
      anniversary.sentence(author: carousel.controller.author), then: .filter, anniversary.hint)
  }

  /// The message of the first launch: the three keys that matter.
  private var firstLine: String {
    let keys: [(Command, String)] = [
      (.fetch, "fetches another panda"), (.favorite, "keeps it"), (.help, "shows all keys"),
    ]
    return keys.flatMap { self.keys.deed($0, $1) }.joined(separator: " · ")
  }
}
