internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The availability of commands.
extension PandaApp {
  /// Returns why a command is not available; nil if it is.
  func reason(against command: Command) -> String? {
    if zoom.isOpen, command.has(.isForZoom) { return nil }
    if keys.withholds(command) { return ActionWords(names: keys).sentence(for: .notInKiosk) }
    if command.has(.needsFavorites), !carousel.controller.imagesHaveLoaded,
      !(command.has(.needsOnlyTheirEnd) && carousel.hasAll)
    {
      return carousel.problem ?? "Your favorites are still being read"
    }
    if command.has(.needsCarousel), layout.carousel == nil {
      return "There is no room for the favorites: make the window larger"
    }
    let refusal: Refusal?
    switch command {
    case .back: refusal = card.canGoBack ? nil : .nothingSeenBefore
    case .favorite: return reasonAgainstFavorite
    case .remove where isInTrash: return reasonAgainstPurging
    case .remove where target == nil: return reasonWithoutPicture
    case .remove: refusal = isTargetSaved ? nil : .isNotFavorite
    case .clear: return reasonAgainstClearing
    case .undo: refusal = carousel.controller.hasNothingToUndo ? .nothingToUndo : nil
    case .redo: refusal = carousel.controller.hasNothingToRedo ? .nothingToRedo : nil
    case .caption, .tags:
      guard let image = captionTarget else { return reasonWithoutPicture }
      refusal = isSaved(image) ? nil : .onlyFavoritesHaveCaptions
    case .details, .copyAddress, .copyCredit, .save, .shareCard:
      return target == nil ? reasonWithoutPicture : nil
    case .open:
      guard let target else { return reasonWithoutPicture }
      refusal = refusalToOpen(target)
    case .hide:
      guard let image = seenTarget else {
        return model.showsGrid
          ? reasonWithoutPicture : ActionWords(names: keys).sentence(for: .noPicture)
      }
      refusal = card.refusalToHide(image)
    case .problem: refusal = hasTrouble ? nil : .nothingWentWrong
    default: return reasonOfScreen(against: command)
    }
    return refusal.map(ActionWords(names: keys).sentence)
  }

  /// Returns why a command that only a screen has is not available.
  private func reasonOfScreen(against command: Command) -> String? {
    switch command {
    case .sort: carousel.list.isEmpty ? "Nothing to sort" : nil
    case .filter:
      carousel.list.isEmpty && carousel.filterText.isEmpty ? "Nothing to filter" : nil
    case .show, .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight:
      carousel.selected == nil ? emptySentence : nil
    case .sources: ring == nil ? "There is only one source: \(card.controller.sourceName)" : nil
    case .mark, .markRange, .markAll:
      zoom.isOpen
        ? keys.sentence("Marks are for the favorites behind it", then: .cancel, "goes back")
        : pane == .card
          ? keys.sentence("Only favorites can be marked", then: .nextPane, "goes to them")
          : carousel.selected == nil ? emptySentence : nil
    case .zoom: reasonAgainstZoom
    case .larger: model.showsGrid ? nil : reasonAgainstZoom
    case .smaller:
      model.showsGrid ? nil : keys.sentence("Only the grid has sizes", then: .grid, "opens it")
    case .grid: display.size.rows < 4 ? "There is no room for the grid" : nil
    case .cancel:
      card.isAnimating || carousel.isNarrowed || model.showsGrid || !carousel.marked.isEmpty
        ? nil : ""
    default: nil
    }
  }

  private func isSaved(_ image: RemoteImage) -> Bool { card.controller.isSaved(image) }

  /// Whether the picture that commands apply to is a favorite.
  var isTargetSaved: Bool { target.map(isSaved) == true }

  private var reasonAgainstFavorite: String? {
    if isInTrash || model.showsGrid && !zoom.isOpen {
      return carousel.selected == nil ? emptySentence : nil
    }
    guard let image = seenTarget else { return ActionWords(names: keys).sentence(for: .noPicture) }
    guard isSaved(image) else { return nil }
    let isFavorite = ActionWords(names: keys).sentence(for: .isFavorite)
    // Who keeps one panda after another presses the key once too often, and means the next one.
    if card.isAnimating, !zoom.isOpen { return "\(isFavorite). The next panda is on its way" }
    // If the carousel is not visible, nothing can be selected in it.
    return layout.carousel == nil ? isFavorite : nil
  }

  private var reasonAgainstZoom: String? {
    if !zoom.canOpen { return "This terminal shows no pictures" }
    return target == nil ? reasonWithoutPicture : nil
  }

  /// Why there is no picture that commands apply to.
  private var reasonWithoutPicture: String {
    pane == .carousel ? emptySentence : ActionWords(names: keys).sentence(for: .noPicture)
  }

  /// Why the carousel shows nothing.
  private var emptySentence: String {
    switch (isInTrash, isFiltered: !carousel.filterText.isEmpty) {
    case (false, false): "There is no favorite"
    case (false, true):
      FavoritesFilter.problem(in: carousel.filterText)?.sanitized(upTo: 100)
        ?? "No favorite matches the filter"
    case (true, false): "The trash is empty"
    case (true, true): "Nothing in the trash matches the filter"
    }
  }

  private var reasonAgainstClearing: String? {
    // They are not in view.
    if isInTrash {
      return keys.sentence("Only favorites can be cleared", then: .trash, "goes back to them")
    }
    if carousel.controller.images.isEmpty {
      return ActionWords(names: keys).sentence(for: .nothingToClear)
    }
    return carousel.isFiltered && carousel.list.isEmpty ? emptySentence : nil
  }

  /// In front of strangers nothing is deleted that cannot be taken back.
  private var reasonAgainstPurging: String? {
    if keys.isForKiosk { return ActionWords(names: keys).sentence(for: .isInTrash) }
    return carousel.selected == nil ? emptySentence : nil
  }

  private func refusalToOpen(_ image: RemoteImage) -> Refusal? {
    let scheme = (image.page ?? image.url).scheme?.lowercased()
    return scheme == "http" || scheme == "https" ? nil : .isNotOnTheWeb
  }
}
