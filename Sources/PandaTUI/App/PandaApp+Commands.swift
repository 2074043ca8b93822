internal import PandaCore
internal import Pantry

/// What each command does.
extension PandaApp {
  /// The picture that commands are about: the selected one, or the one in the card.
  var target: RemoteImage? { pane == .carousel ? carousel.selected : card.image }

  /// Whether commands are about what is in the trash.
  var isInTrash: Bool { pane == .carousel && carousel.collection == .trash }

  /// Does what a command asks for, or says why that cannot be done now.
  func perform(_ command: Command, count: Int) {
    if let reason = reason(against: command) {
      say(.info(reason))
      guard command.needsFavorites, !carousel.controller.imagesHaveLoaded else { return }
      if carousel.problem != nil {
        // What kept the favorites from being read may be over.
        Task { await load() }
      } else {
        deferred = DeferredCommand(command: command, count: count, target: target?.id)
      }
      return
    }
    switch command {
    case .fetch: card.fetch()
    case .back: card.back(count)
    case .favorite: favorite()
    case .remove: remove()
    case .clear: askToClear()
    case .undo: changeBack(count)
    case .redo: changeAgain(count)
    case .nextPane: focus = pane == .card ? .carousel : .card
    case .show: show()
    case .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight:
      if let move = command.move { carousel.move(move, count: count) }
    case .filter: filterField = TextField(carousel.filterText, limit: 100)
    case .sort: sort()
    case .trash: toggleTrash()
    case .caption, .tags, .save: ask(command)
    case .details: showDetails()
    case .open: open()
    case .copyAddress: copyAddress()
    case .copyCredit: copyCredit()
    case .slideshow: toggleSlideshow()
    case .hide: hide()
    case .party: toggleParty()
    case .sources: showSources()
    case .problem: showTrouble()
    case .help: dialog = .help(HelpDialog(keys) { reason(against: $0) })
    case .cancel: cancel()
    case .redraw: screen.invalidate()
    case .suspend: suspend()
    case .quit: quit()
    }
  }

  /// Performs the command that was given before the favorites had been read.
  ///
  /// It is dropped if another picture has taken the place of the one that it was about.
  func performDeferred() {
    guard let waiting = deferred else { return }
    deferred = nil
    message = nil
    // The carousel has only what the last frame needed.
    carousel.update()
    if waiting.command.isAboutTarget, waiting.target != target?.id { return }
    perform(waiting.command, count: waiting.count)
  }

  // MARK: Favorites

  /// Saves the picture on the card; one that is saved already is looked up in the carousel, and one
  /// in the trash is restored.
  private func favorite() {
    if isInTrash {
      guard let entry = carousel.selectedEntry else { return }
      write { await self.carousel.restore(entry) }
    } else if let image = card.image, card.isShownSaved {
      carousel.select(image)
      focus = .carousel
    } else if let reason = card.reasonAgainstKeeping {
      say(.problem(reason))
    } else if let image = card.image {
      write { await self.card.save(image) }
    }
  }

  private func remove() {
    guard let image = target else { return }
    let isCard = pane == .card
    write { await isCard ? self.card.remove(image) : self.carousel.remove(image) }
  }

  private func hide() {
    guard let image = card.image else { return }
    write { await self.card.hide(image) }
  }

  private func askToClear() {
    let count = carousel.controller.images.count
    dialog = .confirm(
      ConfirmDialog(
        title: "Clear",
        question: count == 1 ? "Remove your 1 favorite?" : "Remove all \(count) favorites?",
        note: "They rest in the trash for 30 days."))
  }

  private func show() {
    guard let image = carousel.selected else { return }
    card.show(image, carousel.collection == .trash ? .trash : .favorite)
  }

  // MARK: Undo

  private func changeBack(_ count: Int) {
    write {
      await self.change(
        count, nothing: "There is nothing more to undo", failure: "Not undone"
      ) { change in
        self.keys.sentence("Undone: \(change.words)", then: .redo, "does it again")
      } by: {
        try await self.library.undo()
      }
    }
  }

  private func changeAgain(_ count: Int) {
    write {
      await self.change(
        count, nothing: "There is nothing more to do again", failure: "Not done again"
      ) { change in
        self.keys.sentence("Done again: \(change.words)", then: .undo, "undoes it")
      } by: {
        try await self.library.redo()
      }
    }
  }

  private func change(
    _ count: Int, nothing: String, failure: String, words: (UndoneChange) -> String,
    by step: () async throws -> UndoneChange?
  ) async {
    do {
      var last: UndoneChange?
      for _ in 0..<count {
        guard let change = try await step() else { break }
        last = change
      }
      say(.info(last.map(words) ?? nothing))
    } catch {
      trouble = Trouble(failure, error)
      say(.problem("\(failure): \(userMessage(for: error))"))
    }
  }

  // MARK: The carousel

  private func sort() {
    order.set(carousel.order.next)
    carousel.order = carousel.order.next
    say(.info("Favorites: \(carousel.order.words)"))
  }

  private func toggleTrash() {
    if carousel.collection == .trash {
      carousel.collection = .favorites
    } else {
      carousel.filterText = ""
      carousel.collection = .trash
      focus = .carousel
      observeAnew()
    }
  }

  /// Ends what the user most likely means: in the carousel its filter or the trash, then fetching.
  private func cancel() {
    if card.isAnimating, pane == .card || !carousel.isNarrowed {
      card.cancel()
    } else if !carousel.filterText.isEmpty {
      carousel.filterText = ""
    } else if carousel.collection == .trash {
      carousel.collection = .favorites
    }
  }

  // MARK: Moods

  private func toggleParty() {
    party.projectedValue.toggle()
    let begins = keys.sentence("Party mode!", separator: " ", then: .party, "ends it")
    say(.info(party.wrappedValue ? begins : "The party is over"))
  }

  private func toggleSlideshow() {
    guard !slideshow.isRunning else {
      pauseSlideshow()
      return
    }
    // Who comes back from it, and what it shows without network, is not in the trash.
    focus = .card
    carousel.collection = .favorites
    continueSlideshow(slideshow.start())
    card.fetch()
  }

  /// Ends the slideshow, and says how it goes on.
  func pauseSlideshow() {
    slideshow.stop()
    say(.info(keys.sentence("Slideshow paused", then: .slideshow, "goes on")))
  }

  /// Shows the next picture when this one was seen for long enough, as long as the same show runs.
  private func continueSlideshow(_ number: Int) {
    Task {
      // Sleeping fails only when the task is cancelled, which nobody does.
      try? await Task.sleep(for: .seconds(configuration.slideshowSeconds))  // see above
      guard slideshow.isRunning(number) else { return }
      showNextSlide()
      continueSlideshow(number)
    }
  }

  /// A new panda; without network, the next favorite.
  private func showNextSlide() {
    message = nil
    guard !card.state.connection.isUp, card.state.queue.isEmpty, !carousel.list.isEmpty else {
      card.fetch()
      return
    }
    let wasLast = carousel.state.selectedIndex == carousel.list.count - 1
    carousel.move(wasLast ? .first : .right)
    show()
  }
}

/// A command that was given before the favorites had been read.
struct DeferredCommand {
  let command: Command
  let count: Int
  /// The identifier of the picture that it was about.
  let target: String?
}

extension Command {
  /// Whether it changes one picture, the one on the card or the selected one.
  fileprivate var isAboutTarget: Bool {
    switch self {
    case .remove, .caption, .tags, .hide: true
    default: false
    }
  }

  /// Where a command moves the selection.
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

extension UndoneChange {
  /// What it was, for a line.
  var words: String {
    let pandas = count == 1 ? "1 panda" : "\(count) pandas"
    return switch change.kind {
    case .favorited: "favoriting \(pandas)"
    case .restored: "restoring \(pandas)"
    case .removed: "removing \(pandas)"
    case .cleared: "clearing \(pandas)"
    case .captioned: "a caption"
    case .tagged: "tags"
    case .hidden: "hiding a panda"
    }
  }
}
