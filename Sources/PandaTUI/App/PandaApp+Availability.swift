internal import PandaCore
internal import Pantry

/// Which commands can be used now.
extension PandaApp {
  /// Says why a command cannot be used now; nil if it can.
  func reason(against command: Command) -> String? {
    if command.needsFavorites, !carousel.controller.imagesHaveLoaded {
      return carousel.problem ?? "Your favorites are still being read"
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
    case .problem: trouble == nil ? "Nothing has gone wrong" : nil
    case .cancel:
      card.isAnimating || !carousel.filterText.isEmpty || carousel.collection == .trash
        ? nil : "There is nothing to stop"
    }
  }

  private var reasonAgainstFavorite: String? {
    if isInTrash { return carousel.selected == nil ? "The trash is empty" : nil }
    return card.image == nil ? "There is no picture yet" : nil
  }

  private var reasonAgainstWriting: String? {
    guard let target else { return "There is no picture yet" }
    guard card.controller.isSaved(target) else {
      return "Only favorites have captions and tags; \(keys.label(of: .favorite)) makes it one"
    }
    return nil
  }

  private var reasonAgainstOpening: String? {
    guard let target else { return "There is no picture yet" }
    guard let scheme = target.url.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { return "This panda is not on the web" }
    return nil
  }

  private var reasonAgainstHiding: String? {
    guard let image = card.image else { return "There is no picture yet" }
    return card.controller.isSaved(image)
      ? "It is a favorite; \(keys.label(of: .remove)) removes it first" : nil
  }
}

extension Command {
  /// Whether it can be done only when it is known what all the favorites are.
  fileprivate var needsFavorites: Bool {
    switch self {
    case .remove, .clear, .caption, .tags, .sort, .filter: true
    default: false
    }
  }
}
