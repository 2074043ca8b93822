internal import PandaCore
internal import PandaSession
internal import Pantry

/// The commands of the card: new pictures, former ones, the slideshow, the sources.
@MainActor
struct CardCommands {
  let context: CommandContext

  private var card: CardPresenter { context.card }
  private var favorites: FavoritesPresenter { context.favorites }
  private var keys: KeyTable { context.keys }
  private var ring: SourceRing? { context.session.sources.ring }

  func reason(against command: Command.Card) -> String? {
    switch command {
    case .fetch, .slideshow, .party: return nil
    case .back: return card.canGoBack ? nil : context.words.sentence(for: .nothingSeenBefore)
    case .hide:
      guard let image = context.target else { return context.reasonWithoutPicture }
      return card.controller.refusalToHide(image).map(context.words.sentence)
    case .sources:
      return ring == nil ? "There is only one source: \(card.controller.sourceName)" : nil
    }
  }

  func perform(_ command: Command.Card, _ count: Int, on target: RemoteImage?) {
    switch command {
    case .fetch: card.fetch()
    case .back: card.back(count)
    case .hide:
      if let target { context.begin { await card.hide(target) } }
    case .slideshow: toggleSlideshow()
    case .party: toggleParty()
    case .sources: showSources()
    }
  }

  private func toggleParty() {
    context.remembered.party.set(!context.remembered.party.wrappedValue)
    let begins = keys.sentence("Party mode!", separator: " ", then: .card(.party), "ends it")
    context.say(.info(context.remembered.party.wrappedValue ? begins : "The party is over"))
  }

  // MARK: The slideshow

  private func toggleSlideshow() {
    guard !context.model.slideshow.isRunning else { return pauseSlideshow() }
    let showsFavorites =
      context.pane == .carousel && !context.isInTrash && favorites.selected != nil
    // After the slideshow, and for the favorites it shows offline, the trash must not be open.
    ViewCommands(context: context).leaveGrid()
    context.model.focus = showsFavorites ? .carousel : .card
    favorites.collection = .favorites
    continueSlideshow(
      context.model.slideshow.start(
        withFavorites: showsFavorites, isShuffled: context.remembered.shuffles.wrappedValue))
    if showsFavorites { context.showSelected() } else { card.fetch() }
  }

  /// Begins a picture frame: an empty one, until the favorites have been read.
  func begin(_ frame: SlideshowRequest) {
    favorites.filterText = frame.filter
    context.model.focus = frame.directory == nil ? .carousel : .card
    let number = context.model.slideshow.start(frame)
    Task {
      try? await favorites.controller.imagesHaveBeenRead()  // the load reports it
      try? await favorites.controller.library.sightings.haveLoaded()  // any favorite may come then
      guard context.model.slideshow.isRunning(number) else { return }
      context.model.slideshow.begin(after: favorites.controller.library.sightings.dates)
      continueSlideshow(number)
      showNextSlide()
    }
  }

  /// Pauses the slideshow, and says how to resume it.
  func pauseSlideshow() {
    context.model.slideshow.stop()
    context.say(
      .info(keys.sentence("Slideshow paused", then: .card(.slideshow), "resumes it")))
  }

  /// Changes the order of a running slideshow, for later ones too.
  func shuffle() {
    context.model.slideshow.toggleShuffle()
    let isShuffled = context.model.slideshow.isShuffled
    context.remembered.shuffles.set(isShuffled)
    context.say(
      .info(
        isShuffled
          ? keys.sentence("Shuffled", then: .favorites(.sort), "shows them in order again")
          : keys.sentence("In order", then: .favorites(.sort), "shuffles")))
  }

  /// Shows the next picture after its time, as long as the same show is running.
  private func continueSlideshow(_ number: Int) {
    let seconds =
      context.model.slideshow.frame?.seconds ?? context.configuration.slideshowSeconds
    context.clock.after(.seconds(seconds)) { [weak context] in
      guard let context, context.model.slideshow.isRunning(number) else { return }
      let commands = CardCommands(context: context)
      commands.showNextSlide()
      commands.continueSlideshow(number)
    }
  }

  /// Shows the next favorite, or a new panda; the next favorite also while offline.
  private func showNextSlide() {
    context.model.clearMessage()
    let frame = context.model.slideshow.frame
    context.model.slideshow.show(card.image?.id)
    if frame?.isOnce == true, hasShownAll { return context.quit() }
    let showsFavorite =
      context.model.slideshow.showsFavorites
      || frame == nil && !card.state.connection.isUp && card.state.queue.isEmpty
    guard showsFavorite, !favorites.list.isEmpty else {
      if context.model.slideshow.showsFavorites { pauseSlideshow() } else { card.fetch() }
      return
    }
    if context.model.slideshow.isShuffled {
      context.selectRandom()
    } else {
      let place = favorites.state.selectedIndex.map { $0 + 1 } ?? 0
      favorites.select(id: favorites.list[place < favorites.list.count ? place : 0].id)
    }
    context.showSelected()
    card.controller.library.sightings.writeIfDue()
  }

  /// Whether a frame has nothing to show that it has not shown.
  private var hasShownAll: Bool {
    let show = context.model.slideshow
    if show.showsFavorites { return favorites.list.allSatisfy { show.shown.contains($0.id) } }
    return show.shown.count >= show.frame?.count ?? 0
      || card.state.queue.first.map { show.shown.contains($0.id) } == true
  }

  // MARK: The sources

  private func showSources() {
    guard let ring else { return }
    context.model.dialog = .sources(SourcesDialog(ring.statuses))
  }

  /// Performs a request of the dialog with the sources.
  func follow(_ request: SourcesDialog.Request) {
    guard let ring else { return }
    switch request {
    case .setEnabled(let isEnabled, let name):
      ring.setEnabled(isEnabled, name)
      if context.configuration.source == .automatic {
        context.remembered.disabledSources.set(
          ring.statuses.filter { !$0.isEnabled }.map(\.id))
      }
    case .test(let name): test(name, of: ring)
    }
  }

  private func test(_ name: String, of ring: SourceRing) {
    guard let label = ring.statuses.first(where: { $0.id == name })?.label else { return }
    context.say(.info("Asking \(label)"))
    Task {
      do {
        let image = try await ring.test(name)
        let title = image.title.map { " “\($0)”" } ?? ""
        context.say(.info("\(label) sent a picture\(title)".sanitized(upTo: 200)))
      } catch {
        context.fail("Asking \(label) failed", error)
      }
    }
  }
}

extension CommandContext {
  /// Selects the favorite among those in view that ``FavoriteQueue`` chooses.
  func selectRandom() {
    // A frame that shows each once, shows none twice.
    let shown = model.slideshow.frame?.isOnce == true ? model.slideshow.shown : []
    let list = shown.isEmpty ? favorites.list : favorites.list.filter { !shown.contains($0.id) }
    let image = favorites.controller.library.sightings.choose(among: list, using: &generator)
    if let image { favorites.select(id: image.id) }
  }

  func showSelected() {
    guard let image = favorites.selected else { return }
    card.show(image, favorites.collection == .trash ? .trash : .favorite)
  }
}
