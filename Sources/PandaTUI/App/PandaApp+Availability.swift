internal import PandaCore
internal import Pantry

/// Which commands can be used now.
extension PandaApp {
  /// Says why a command cannot be used now; nil if it can.
  func reason(against command: Command) -> String? {
    if command.needsFavorites, !carousel.controller.imagesHaveLoaded,
      !(command.needsOnlyTheirEnd && carousel.hasAll)
    {
      return carousel.problem ?? "Your favorites are still being read"
    }
    if command.needsCarousel, layout.carousel == nil {
      return "There is no room for the favorites: make the window larger"
    }
    return switch command {
    case .fetch, .nextPane, .trash, .party, .help, .redraw, .suspend, .quit, .slideshow: nil
    case .back: card.canGoBack ? nil : "No panda was shown before this one"
    case .favorite: reasonAgainstFavorite
    case .remove:
      if isInTrash {
        "What is in the trash goes by itself after \(ImageLibrary.trashDays) days"
      } else {
        target.map(card.controller.isSaved) == true ? nil : "This panda is not a favorite"
      }
    case .clear: carousel.controller.images.isEmpty ? "There are no favorites to remove" : nil
    case .sort: carousel.list.isEmpty ? "There is nothing to sort" : nil
    case .undo: library.hasNothingToUndo ? "There is nothing to undo" : nil
    case .redo: library.hasNothingToRedo ? "There is nothing to do again" : nil
    case .show, .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight:
      carousel.selected == nil ? "There is no favorite to select" : nil
    case .filter:
      carousel.list.isEmpty && carousel.filterText.isEmpty ? "There is nothing to filter" : nil
    case .caption, .tags: reasonAgainstWriting
    case .details, .copyAddress, .copyCredit, .save:
      target == nil ? "There is no picture yet" : nil
    case .open: reasonAgainstOpening
    case .hide: reasonAgainstHiding
    case .sources: ring == nil ? "There is only one source: \(card.controller.sourceName)" : nil
    case .problem: trouble == nil ? "Nothing has gone wrong" : nil
    case .cancel:
      card.isAnimating || carousel.isNarrowed ? nil : "There is nothing to stop"
    }
  }

  private var reasonAgainstFavorite: String? {
    if isInTrash { return carousel.selected == nil ? "The trash is empty" : nil }
    guard card.image != nil else { return "There is no picture yet" }
    // Where the carousel cannot be seen, nothing can be selected in it.
    return card.isShownSaved && layout.carousel == nil ? "It is a favorite already" : nil
  }

  private var reasonAgainstWriting: String? {
    guard let target else { return "There is no picture yet" }
    guard card.controller.isSaved(target) else {
      return keys.sentence(
        "Only favorites have captions and tags", separator: "; ", then: .favorite, "makes it one")
    }
    return nil
  }

  private var reasonAgainstOpening: String? {
    guard let target else { return "There is no picture yet" }
    guard let scheme = (target.page ?? target.url).scheme?.lowercased(),
      scheme == "http" || scheme == "https"
    else { return "This panda is not on the web" }
    return nil
  }

  private var reasonAgainstHiding: String? {
    guard let image = card.image else { return "There is no picture yet" }
    return card.reasonAgainstHiding(image)
  }
}

extension Command {
  /// Whether it can be done only when it is known what all the favorites are.
  var needsFavorites: Bool {
    switch self {
    case .remove, .clear, .caption, .tags, .sort, .filter, .hide, .last, .pageRight: true
    default: false
    }
  }

  /// Whether it can be done as soon as the last favorite is there to be selected.
  fileprivate var needsOnlyTheirEnd: Bool { self == .last || self == .pageRight }

  /// Whether it is about what the carousel shows.
  fileprivate var needsCarousel: Bool {
    switch self {
    case .nextPane, .show, .filter, .trash: true
    case .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight: true
    default: false
    }
  }
}
