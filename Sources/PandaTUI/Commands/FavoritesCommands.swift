internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// The commands of the favorites and of the trash: what changes them, and which are shown.
@MainActor
struct FavoritesCommands {
  let context: CommandContext

  private var card: CardPresenter { context.card }
  private var favorites: FavoritesPresenter { context.favorites }
  private var controller: ImagesController { context.favorites.controller }
  private var keys: KeyTable { context.keys }

  // MARK: Refusals

  func reason(against command: Command.Favorites) -> String? {
    func sentence(_ refusal: Refusal, if isRefused: Bool) -> String? {
      isRefused ? context.words.sentence(for: refusal) : nil
    }
    switch command {
    case .favorite:
      if case .nothing(let reason) = favoriteKey(context.zoom.image) { return reason }
      return nil
    case .remove where context.isInTrash: return reasonWithoutSelection
    case .remove:
      guard context.target != nil else { return context.reasonWithoutPicture }
      return sentence(.isNotFavorite, if: !context.isTargetSaved)
    case .clear: return reasonAgainstClearing
    case .undo: return sentence(.nothingToUndo, if: controller.library.hasNothingToUndo)
    case .redo: return sentence(.nothingToRedo, if: controller.library.hasNothingToRedo)
    case .caption, .tags:
      guard let image = context.captionTarget else { return context.reasonWithoutPicture }
      return sentence(.onlyFavoritesHaveCaptions, if: !controller.isSaved(image))
    case .mark, .markRange, .markAll: return reasonAgainstMarking
    case .show where context.pane == .card: return ZoomCommands(context: context).reason
    case .show: return reasonWithoutSelection
    case .random:
      if controller.images.isEmpty { return ActionWords.favorites(0) }
      return favorites.isFiltered && favorites.list.isEmpty ? context.emptySentence : nil
    case .filter:
      return favorites.list.isEmpty && favorites.filterText.isEmpty ? "Nothing to filter" : nil
    case .sort: return favorites.list.isEmpty ? "Nothing to sort" : nil
    case .collections, .trash: return nil
    }
  }

  private var reasonWithoutSelection: String? {
    favorites.selected == nil ? context.emptySentence : nil
  }

  /// The effect of the key for favorites in the current situation.
  private enum FavoriteKey {
    case restore, mark
    /// The next panda is about to come: the key means that one.
    case fetch
    case keep(RemoteImage)
    /// It is a favorite already: it is selected among them.
    case find(RemoteImage)
    case nothing(because: String)
  }

  /// - Parameter enlarged: the picture on the whole screen, which is meant alone.
  private func favoriteKey(_ enlarged: RemoteImage?) -> FavoriteKey {
    if context.isInTrash || context.pane == .carousel && enlarged == nil {
      if let reason = reasonWithoutSelection { return .nothing(because: reason) }
      return context.isInTrash ? .restore : .mark
    }
    guard let image = enlarged ?? card.image else {
      return .nothing(because: context.words.sentence(for: .noPicture))
    }
    guard controller.isSaved(image) else { return .keep(image) }
    if context.model.slideshow.isRunning, favorites.selected?.id == image.id { return .mark }
    let isFavorite = context.words.sentence(for: .isFavorite)
    // After several quick saves, the extra press is meant for the next picture.
    if card.isAnimating, enlarged == nil {
      return .nothing(because: "\(isFavorite). The next panda is on its way")
    }
    // If the carousel is not visible, nothing can be selected in it.
    if context.layout.carousel == nil { return .nothing(because: isFavorite) }
    return card.isAboutToAdvance && enlarged == nil ? .fetch : .find(image)
  }

  private var reasonAgainstClearing: String? {
    // They are not in view.
    if context.isInTrash {
      return keys.sentence(
        "Only favorites can be cleared", then: .favorites(.trash), "goes back to them")
    }
    if controller.images.isEmpty { return context.words.sentence(for: .nothingToClear) }
    return favorites.isFiltered && favorites.list.isEmpty ? context.emptySentence : nil
  }

  private var reasonAgainstMarking: String? {
    if context.zoom.isOpen {
      return keys.sentence(
        "Marks are for the favorites behind it", then: .program(.cancel), "goes back")
    }
    if context.pane == .card {
      return keys.sentence(
        "Only favorites can be marked", then: .view(.nextPane), "goes to them")
    }
    return reasonWithoutSelection
  }

  // MARK: Performing

  /// - Parameter enlarged: the picture on the whole screen, which is meant alone.
  func perform(_ command: Command.Favorites, _ count: Int, enlarged: RemoteImage?) {
    switch command {
    case .favorite: favorite(enlarged)
    case .remove: remove(enlarged, count)
    case .clear: askToClear()
    case .undo: change { await $0.undo(count) }
    case .redo: change { await $0.redo(count) }
    case .caption: askForCaption()
    case .tags: askForTags()
    case .mark: favorites.mark(count)
    case .markRange: favorites.markRange()
    case .markAll: favorites.markAll()
    case .show: goIn()
    case .random: showRandom()
    case .filter: context.model.filterField = TextField(favorites.filterText, limit: 100)
    case .sort: sort()
    case .collections: CollectionsCommands(context: context).showCollections()
    case .trash: toggleTrash()
    }
  }

  /// Goes in by one step: from the favorites to the panda, from there to the whole screen.
  private func goIn() {
    let isInGrid = context.model.showsGrid
    let isShown = card.image?.id == favorites.selected?.id
    if context.pane == .card || isShown && !isInGrid {
      return ZoomCommands(context: context).open()
    }
    card.recordChoice()
    context.showSelected()
    guard isInGrid else { return }
    ViewCommands(context: context).leaveGrid()
    context.model.focus = .card
    context.model.returnsToGrid = true
  }

  /// Shows one of the favorites that the filter leaves, as ``FavoriteQueue`` chooses.
  private func showRandom() {
    if favorites.collection == .trash {
      favorites.filterText = ""
      favorites.collection = .favorites
    }
    context.selectRandom()
    context.showSelected()
    // Else a window that is closed now would show the same one the next time.
    card.controller.library.sightings.writeSoon()
  }

  private func favorite(_ enlarged: RemoteImage?) {
    switch favoriteKey(enlarged) {
    case .restore: restore((enlarged.map { [$0] } ?? favorites.chosen(1)).map(\.id))
    case .mark where context.model.slideshow.isRunning: markSlide()
    case .mark: favorites.mark(1)
    case .fetch: card.fetch()
    case .keep(let image) where card.isDamaged(image):
      context.say(.problem(context.words.sentence(for: .isDamaged)))
    case .keep(let image): context.begin { await card.favorite(image) }
    case .find(let image):
      favorites.select(image)
      context.model.focus = .carousel
    case .nothing: break
    }
  }

  /// Marks the favorite that the slideshow shows, which goes on.
  private func markSlide() {
    guard let id = favorites.selected?.id else { return }
    favorites.mark(id: id)
    let count = favorites.marks.ids.count
    context.say(.info(count == 0 ? "Nothing is marked" : "\(count) marked"))
  }

  func restore(_ ids: [String]) {
    let entries = ids.compactMap(controller.library.trashed)
    context.begin { await favorites.restore(entries) }
  }

  /// Removes the enlarged favorite, the one on the card, or those of the carousel that were chosen.
  private func remove(_ enlarged: RemoteImage?, _ count: Int) {
    let images = enlarged.map { [$0] } ?? favorites.chosen(count)
    if context.isInTrash {
      askToPurge(images)
      return
    }
    let card = enlarged == nil && context.pane == .card ? card.image : nil
    let removed = card == nil ? images.count : 1
    let isMarked = !context.marked.isEmpty
    context.begin {
      let isDone =
        if let card { await self.card.remove(card) } else { await favorites.remove(images) }
      guard isDone, removed < count, !isMarked else { return }
      let sentence = context.words.sentence(for: .removed(count: removed))
      context.say(.outcome("Only \(removed == 1 ? "1 was" : "\(removed) were") there. \(sentence)"))
    }
  }

  private func change(_ action: @escaping @MainActor (ImagesController) async -> ActionOutcome) {
    context.begin {
      let outcome = await action(context.controller)
      context.announce(outcome)
      favorites.select(after: outcome)
    }
  }

  private func sort() {
    guard !context.model.slideshow.isRunning else {
      return CardCommands(context: context).shuffle()
    }
    context.remembered.order.set(favorites.order.next)
    favorites.order = favorites.order.next
    context.say(.info("Favorites: \(favorites.order.words)"))
  }

  private func toggleTrash() {
    if favorites.collection == .trash {
      favorites.collection = .favorites
    } else {
      favorites.filterText = ""
      favorites.collection = .trash
      context.model.focus = .carousel
    }
  }

  // MARK: Questions

  /// Asks whether all favorites go to the trash, or those that the filter shows.
  private func askToClear() {
    let count = controller.images.count
    let matches = favorites.isFiltered && favorites.list.count < count ? favorites.list : nil
    let (question, note) =
      matches.map { context.words.clearQuestion(matches: $0.count) }
      ?? context.words.clearQuestion(count: count)
    context.model.dialog = .confirm(
      ConfirmDialog(title: "Clear", question: question, note: note) {
        if let matches { return context.begin { await favorites.remove(matches) } }
        // Another terminal has added or removed some since: the question was another one.
        guard controller.images.count == count else { return askToClear() }
        context.begin { await favorites.clear() }
      })
  }

  /// Asks whether pictures in the trash are deleted for good.
  private func askToPurge(_ images: [RemoteImage]) {
    let entries = images.compactMap { controller.library.trashed($0.id) }
    guard let first = entries.first else { return }
    let (question, note) = context.words
      .purgeQuestion(count: entries.count, name: first.image.name)
    context.model.dialog = .confirm(
      ConfirmDialog(title: "Delete", question: question, note: note) {
        context.begin { await favorites.purge(entries) }
      })
  }

  // MARK: Captions and tags

  /// Says what to type, in the dialogs for a caption, for tags, and for those of marked favorites.
  nonisolated static let captionNote = "Caption; empty removes it"
  nonisolated static let tagsNote = "Words with spaces between, such as: sleepy snow"
  nonisolated static let tagChangesNote =
    "Words to add, and words to take away after a minus: sleepy -snow"

  /// Asks for the caption of a picture, or of all marked ones.
  private func askForCaption() {
    let marked = context.marked
    guard marked.count < 2 else {
      return ask(
        "Caption for \(marked.count) pandas", of: marked,
        note: "One caption for all. Empty changes nothing, - removes captions",
        limit: ImagesController.captionLimit
      ) { text, controller in
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        return await controller.setCaption(text == "-" ? "" : text, of: marked)
      }
    }
    guard let image = marked.first ?? context.captionTarget else { return }
    ask(
      title("Caption", for: image), of: [image], note: Self.captionNote,
      text: image.caption ?? "", limit: ImagesController.captionLimit
    ) { text, controller in await controller.setCaption(text, of: [image]) }
  }

  /// Asks for the tags of a picture, or for a change of those of all marked ones.
  private func askForTags() {
    // Tab completes to the tags of all favorites.
    let completion = TagCompletion(Tags.uses(in: controller.images))
    let marked = context.marked
    guard marked.isEmpty else {
      return ask(
        "Tags for \(marked.count == 1 ? "1 panda" : "\(marked.count) pandas")", of: marked,
        note: Self.tagChangesNote,
        limit: ImagesController.tagsLimit, completion: completion, excess: { TagEdit($0).excess }
      ) { text, controller in await controller.changeTags(text, of: marked) }
    }
    guard let image = context.captionTarget else { return }
    ask(
      title("Tags", for: image), of: [image],
      note: Self.tagsNote,
      // Another tag is typed behind the last one.
      text: image.tags.map { $0 + " " }.joined(), limit: ImagesController.tagsLimit,
      completion: completion, excess: { Tags.excess(in: $0) }
    ) { text, controller in await controller.setTags(text, of: image) }
  }

  /// Asks for a line of text for favorites.
  ///
  /// - Parameters:
  ///   - excess: returns why a text is too much; the dialog stays open then.
  ///   - write: changes the favorites; nil if the text asks for nothing.
  private func ask(
    _ title: String, of images: [RemoteImage], note: String, text: String = "", limit: Int,
    completion: TagCompletion = TagCompletion([]),
    excess: @escaping @MainActor (String) -> Tags.Excess? = { _ in nil },
    _ write: @escaping @MainActor (String, ImagesController) async -> ActionOutcome?
  ) {
    context.model.dialog = .input(
      InputDialog(
        title: title, note: note, field: TextField(text, limit: limit), completion: completion
      ) { text, input in
        guard context.hasFavorites(images, askedBy: input) else { return }
        if let excess = excess(text) {
          return context.reject(input, context.words.sentence(for: .tagsDoNotFit(excess)))
        }
        context.model.dialog = nil
        context.write {
          let outcome = await write(text, context.controller)
          if outcome == nil { context.say(.info("No caption was changed")) }
          return outcome
        }
      })
  }

  /// Returns a title that says which picture the text is for.
  private func title(_ subject: String, for image: RemoteImage) -> String {
    let isJustKept = image.id != context.target?.id && context.marked.isEmpty
    let which = isJustKept ? "the panda just kept: " : ""
    let beginning = "\(subject) for \(which)"
    return beginning + image.name.shortened(to: InputDialog.titleColumns - beginning.columns)
  }
}

extension CommandContext {
  /// Returns whether any of the pictures is still a favorite.
  ///
  /// If not, the dialog stays open and says so.
  func hasFavorites(_ images: [RemoteImage], askedBy input: InputDialog) -> Bool {
    guard !images.contains(where: favorites.controller.isSaved) else { return true }
    reject(
      input, images.count == 1 ? "This panda is no longer a favorite" : "They were all removed")
    return false
  }

  /// Begins a change of text, and reports it; unchanged text is not reported.
  func write(_ action: @escaping @MainActor () async -> ActionOutcome?) {
    begin { [self] in
      guard let outcome = await action() else { return }
      if case .refused(let refusal) = outcome, refusal.meansUnchanged { return }
      announce(outcome)
    }
  }
}
