internal import PandaCore
internal import Pantry
internal import TerminalKit

/// What each command does.
extension PandaApp {
  /// The picture that commands apply to: the enlarged one, the selected one, or that on the card.
  var target: RemoteImage? {
    if let image = zoom.image { return carousel.controller.saved(image) ?? image }
    return pane == .carousel ? carousel.selected : card.image
  }

  /// The picture that a caption and tags are for: the one just kept, or what commands apply to.
  var captionTarget: RemoteImage? {
    if zoom.isOpen || model.showsGrid || isInTrash { return target }
    let hasChosen = pane == .card ? card.isShownSaved : card.hasChosenSinceKept
    return hasChosen ? target : card.justKept ?? target
  }

  /// The picture that is hidden or favorited: the card's, unless another one is seen in its place.
  var seenTarget: RemoteImage? { zoom.isOpen || model.showsGrid ? target : card.image }

  /// Whether commands apply to the trash.
  var isInTrash: Bool { pane == .carousel && carousel.collection == .trash }

  /// The current state that the handling of keys and clicks depends on.
  var surroundings: ScreenModel.Surroundings {
    ScreenModel.Surroundings(
      keys: keys, layout: layout, cardPicture: card.image?.id,
      isCardPictureSaved: card.isShownSaved, isInTrash: isInTrash, isZoomed: zoom.isOpen,
      hasMatches: !carousel.list.isEmpty, hasSelection: carousel.selected != nil,
      moment: clock.moment, picture: { self.carousel.image(at: $0)?.id },
      hint: { point in self.hintPlaces.first { $0.rect.contains(point) }?.hint })
  }

  /// Performs the user's requests.
  func follow(_ requests: [ScreenModel.Request]) {
    for request in requests {
      if request.isChoice { card.noteChoice() }
      switch request {
      case .perform(let command, let count): perform(command, count: count)
      case .touch: card.touch()
      case .filter(let text): carousel.filterText = text
      case .move(let move): carousel.move(move)
      case .select(let id): carousel.select(id: id)
      case .restore(let id):
        if let entry = carousel.controller.trashed(id) {
          begin { await self.carousel.restore([entry]) }
        }
      case .mark(let id): mark(.mark) { $0.mark(id: id) }
      case .markRange(let id): mark(.markRange) { $0.markRange(to: id) }
      case .confirmed(let purpose): confirm(purpose)
      case .submit(let text, let input): submit(text, of: input)
      case .source(let request): follow(request)
      case .collection(let request): follow(request)
      case .zoom(let steps, let point): zoom(by: steps, at: point)
      case .pan(let columns, let rows): zoom.change { $0.pan(columns: columns, rows: rows) }
      case .pauseSlideshow: pauseSlideshow()
      case .redraw: invalidate()
      }
    }
  }

  /// Performs a command, or says why it is not available.
  func perform(_ command: Command, count: Int = 1) {
    if let reason = reason(against: command) {
      // Whoever presses Esc wants nothing, and gets it.
      if command == .cancel { return }
      let canPass = command.has(.needsFavorites) && !carousel.controller.imagesHaveLoaded
      // What comes of it then replaces the reason.
      say(canPass ? .outcome(reason) : .info(reason))
      guard canPass else { return }
      if carousel.problem != nil {
        // The reason why the favorites could not be read may be gone.
        Task { await load() }
      } else {
        model.deferred = DeferredCommand(command: command, count: count, target: target?.id)
      }
      return
    }
    let (enlarged, seen) = (zoom.image, seenTarget)
    if zoom.isOpen {
      if performInZoom(command, count: count) { return }
      if command.has(.endsZoom) { zoom.close() }
    }
    if command.has(.needsCard) { leaveGrid() }
    if command.has(.choosesFavorite) { card.noteChoice() }
    switch command {
    case .fetch: card.fetch()
    case .back: card.back(count)
    case .favorite: favorite(enlarged)
    case .remove: remove(enlarged, count)
    case .clear: askToClear()
    case .undo, .redo:
      begin {
        let outcome = await command == .undo ? self.actions.undo(count) : self.actions.redo(count)
        self.tell(outcome)
        self.carousel.select(after: outcome)
        await self.updateCollected()
      }
    case .nextPane: model.focus = pane == .card ? .carousel : .card
    case .show: show()
    case .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight:
      if let move = command.move { carousel.move(move, count: count) }
    case .filter: model.filterField = TextField(carousel.filterText, limit: 100)
    case .sort: sort()
    case .collections: showCollections()
    case .mark: carousel.mark(count)
    case .markRange: carousel.markRange()
    case .markAll: carousel.markAll()
    case .grid: toggleGrid()
    case .larger: model.showsGrid ? resizeGrid(by: count) : openZoom { $0.zoom(by: count) }
    case .smaller: resizeGrid(by: -count)
    case .zoom: openZoom()
    case .trash: toggleTrash()
    case .caption, .tags, .save: ask(command)
    case .shareCard: askForCardFile()
    case .details: showDetails()
    case .open: open()
    case .copyAddress: copyAddress()
    case .copyCredit: copyCredit()
    case .slideshow: toggleSlideshow()
    case .hide: hide(seen)
    case .party: toggleParty()
    case .sources: showSources()
    case .problem: showTrouble()
    case .help: showHelp()
    case .cancel: cancel()
    case .redraw: invalidate()
    case .suspend: suspend()
    case .quit: quit()
    }
  }

  /// Performs the command that was given before the favorites had been read.
  ///
  /// It is dropped if its picture has been replaced by another one.
  func performDeferred() {
    guard let waiting = model.deferred else { return }
    model.deferred = nil
    model.clearMessage()
    if waiting.command.has(.changesTarget), waiting.target != target?.id { return }
    perform(waiting.command, count: waiting.count)
  }

  // MARK: Favorites

  /// The actions of the pane that commands apply to.
  var actions: PictureActions {
    PictureActions(controller: pane == .card ? card.controller : carousel.controller)
  }

  /// Reports an outcome.
  func tell(_ outcome: ActionOutcome) {
    for report in PaneReport.all(for: outcome, ActionWords(names: keys), at: clock.date) {
      take(report)
    }
  }

  /// Favorites the enlarged picture, or the one on the card.
  ///
  /// A favorite is selected in the carousel instead, but for one that the next picture is about to
  /// replace, and a trashed picture is restored. In the grid
  /// of the whole screen, the selected one is marked.
  private func favorite(_ enlarged: RemoteImage?) {
    if isInTrash {
      let images = enlarged.map { [$0] } ?? carousel.chosen(1)
      let entries = images.compactMap { carousel.controller.trashed($0.id) }
      begin { await self.carousel.restore(entries) }
    } else if model.showsGrid, enlarged == nil {
      carousel.mark(1)
    } else if let image = enlarged ?? card.image {
      if card.isAboutToAdvance, enlarged == nil {
        // The same key again, for the panda that is about to come.
        card.fetch()
      } else if card.controller.isSaved(image) {
        carousel.select(image)
        model.focus = .carousel
      } else if let refusal = card.refusalToFavorite(image) {
        say(.problem(ActionWords(names: keys).sentence(for: refusal)))
      } else {
        begin { await self.card.favorite(image) }
      }
    }
  }

  /// Removes the enlarged favorite, the one on the card, or those of the carousel that were chosen.
  private func remove(_ enlarged: RemoteImage?, _ count: Int) {
    let images = enlarged.map { [$0] } ?? carousel.chosen(count)
    if isInTrash {
      askToPurge(images)
    } else if enlarged != nil || pane == .carousel {
      begin { await self.carousel.remove(images) }
    } else if let image = card.image {
      begin { await self.card.remove(image) }
    }
  }

  private func hide(_ image: RemoteImage?) {
    guard let image else { return }
    begin { await self.card.hide(image) }
  }

  private func show() {
    guard let image = carousel.selected else { return }
    card.show(image, carousel.collection == .trash ? .trash : .favorite)
  }

  // MARK: The carousel

  /// Marks what was clicked, or says why the command for that is not available.
  private func mark(_ command: Command, _ body: (FavoritesCarouselView) -> Void) {
    if let reason = reason(against: command) { return say(.info(reason)) }
    body(carousel)
  }

  private func sort() {
    guard !model.slideshow.isRunning else { return shuffle() }
    remembered.order.set(carousel.order.next)
    carousel.order = carousel.order.next
    say(.info("Favorites: \(carousel.order.words)"))
  }

  private func toggleTrash() {
    if carousel.collection == .trash {
      carousel.collection = .favorites
    } else {
      carousel.filterText = ""
      carousel.collection = .trash
      model.focus = .carousel
    }
  }

  /// Cancels what the user most likely means: the marks, the filter, the trash, or the fetch.
  private func cancel() {
    if card.isAnimating, pane == .card || !carousel.isNarrowed {
      card.cancel()
    } else if pane == .carousel, !carousel.marked.isEmpty {
      carousel.marks.clear()
    } else if !carousel.filterText.isEmpty {
      carousel.filterText = ""
    } else if carousel.collection == .trash {
      carousel.collection = .favorites
    } else if model.showsGrid {
      leaveGrid()
    }
  }

  // MARK: The grid

  private func toggleGrid() {
    if model.showsGrid {
      leaveGrid()
    } else {
      model.showsGrid = true
      carousel.gridSize = GridSize(step: remembered.gridStep.wrappedValue)
    }
  }

  /// Shows the card again, with the favorites beside or below it focused.
  private func leaveGrid() {
    guard model.showsGrid else { return }
    model.showsGrid = false
    model.focus = .carousel
  }

  private func resizeGrid(by steps: Int) {
    var size = carousel.gridSize
    for _ in 0..<abs(steps) {
      guard let next = nextGridSize(from: size, isLarger: steps > 0) else { break }
      size = next
    }
    guard size != carousel.gridSize else {
      return say(.info("The pictures are as \(steps > 0 ? "large" : "small") as they get"))
    }
    carousel.gridSize = size
    remembered.gridStep.set(size.step)
  }

  /// Returns the next size that looks different, the standard one if it is the same; nil if there
  /// is none.
  ///
  /// Few favorites are larger at the standard size than at others, and what the window or the
  /// terminal's images allow may be the same at several.
  private func nextGridSize(from size: GridSize, isLarger: Bool) -> GridSize? {
    func across(_ size: GridSize) -> Int? {
      carousel.picturesAcross(size, in: layout, cell: display.cell)
    }
    guard let former = across(size) else { return size.larger(by: isLarger ? 1 : -1) }
    let sizes = GridSize.all.map { (size: $0, across: across($0) ?? former) }
    let next =
      isLarger
      ? sizes.filter { $0.across < former }.max { $0.across < $1.across }
      : sizes.filter { $0.across > former }.min { $0.across < $1.across }
    return next.map { across(.standard) == $0.across ? .standard : $0.size }
  }

  // MARK: Moods

  private func toggleParty() {
    remembered.party.projectedValue.toggle()
    let begins = keys.sentence("Party mode!", separator: " ", then: .party, "ends it")
    say(.info(remembered.party.wrappedValue ? begins : "The party is over"))
  }

  private func toggleSlideshow() {
    guard !model.slideshow.isRunning else {
      pauseSlideshow()
      return
    }
    let showsFavorites = pane == .carousel && !isInTrash && carousel.selected != nil
    // After the slideshow, and for the favorites it shows offline, the trash must not be open.
    leaveGrid()
    model.focus = showsFavorites ? .carousel : .card
    carousel.collection = .favorites
    continueSlideshow(
      model.slideshow.start(
        withFavorites: showsFavorites, isShuffled: remembered.shuffles.wrappedValue))
    if showsFavorites { show() } else { card.fetch() }
  }

  /// Pauses the slideshow, and says how to resume it.
  func pauseSlideshow() {
    model.slideshow.stop()
    say(.info(keys.sentence("Slideshow paused", then: .slideshow, "resumes it")))
  }

  /// Changes the order of a running slideshow, for later ones too.
  private func shuffle() {
    model.slideshow.toggleShuffle()
    let isShuffled = model.slideshow.isShuffled
    remembered.shuffles.set(isShuffled)
    say(
      .info(
        isShuffled
          ? keys.sentence("Shuffled", then: .sort, "shows them in order again")
          : keys.sentence("In order", then: .sort, "shuffles")))
  }

  /// Shows the next picture after its time, as long as the same show is running.
  private func continueSlideshow(_ number: Int) {
    clock.after(.seconds(configuration.slideshowSeconds)) { [weak self] in
      guard let self, model.slideshow.isRunning(number) else { return }
      showNextSlide()
      continueSlideshow(number)
    }
  }

  /// Shows the next favorite, or a new panda; the next favorite also while offline.
  private func showNextSlide() {
    model.clearMessage()
    let showsFavorite =
      model.slideshow.showsFavorites
      || !card.state.connection.isUp && card.state.queue.isEmpty
    guard showsFavorite, !carousel.list.isEmpty else {
      if model.slideshow.showsFavorites { pauseSlideshow() } else { card.fetch() }
      return
    }
    let next = model.slideshow.next(
      after: carousel.selected?.id, in: carousel.list.map(\.id), using: &generator)
    if let next { carousel.select(id: next) }
    show()
  }
}

extension Command {
  /// The selection move for a command.
  fileprivate var move: CarouselState.Move? {
    switch self {
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    case .first: .first
    case .last: .last
    case .pageLeft: .pageLeft
    case .pageRight: .pageRight
    default: nil
    }
  }
}
