internal import PandaCore
internal import TerminalKit

/// The user's situation, for the hint bar and the help.
///
/// It determines what keys mean, and which matter most.
@MainActor
struct Situation {
  let commands: Commands

  private var context: CommandContext { commands.context }
  private var model: ScreenModel { context.model }
  private var card: CardPresenter { context.card }
  private var favorites: FavoritesPresenter { context.favorites }
  private var zoom: ZoomView { context.zoom }
  private var keys: KeyTable { context.keys }

  // MARK: The help

  /// The list of the keys, by what they do here.
  var help: HelpDialog {
    var texts: [Command: String] = [:]
    if context.isInTrash {
      texts[.favorites(.favorite)] = "Restore the picture: a favorite again"
      texts[.favorites(.remove)] = "Delete the picture for good, after asking"
      texts[.favorites(.show)] = "Show the selected picture in Red Panda"
      texts[.favorites(.trash)] = "Go back to the favorites"
    } else if model.showsGrid {
      texts[.favorites(.favorite)] = "Mark the selected favorite, or unmark it"
    } else if context.pane == .card, card.isShownSaved {
      texts[.favorites(.favorite)] = "Find the picture among the favorites"
    }
    var here = prominent
    if model.showsGrid, !zoom.isOpen {
      texts[.view(.grid)] = "Go back to Red Panda"
      here.formUnion([.view(.larger), .view(.smaller), .favorites(.remove)])
    }
    return HelpDialog(keys, texts: texts, here: here) { commands.reason(against: $0) }
  }

  // MARK: The hints

  /// The hints for the current situation.
  var hintBar: HintBar {
    if let dialog = model.dialog { return HintBar(dialog.hints) }
    if model.filterField != nil {
      return HintBar([
        HintBar.Hint(key: "enter", text: "keep", importance: 1, command: nil, pressed: .enter),
        HintBar.Hint(
          key: "esc", text: "show all", importance: 2, command: nil, pressed: .escape),
        HintBar.Hint(key: "↑↓", text: "select", importance: 3, command: nil),
      ])
    }
    if model.slideshow.isRunning { return HintBar(slideshowHints) }
    return HintBar(keys, words: words, urgent: urgent, prominent: prominent)
  }

  private var slideshowHints: [HintBar.Hint] {
    func hint(_ command: Command, _ text: String, _ importance: Int, if isUseful: Bool)
      -> [HintBar.Hint]
    {
      let key = keys.label(of: command)
      guard isUseful, !key.isEmpty else { return [] }
      return [HintBar.Hint(key: key, text: text, importance: importance, command: command)]
    }
    let favorite = Command.favorites(.favorite)
    return hint(favorite, "favorite", 1, if: commands.reason(against: favorite) == nil)
      + hint(
        .favorites(.sort), model.slideshow.isShuffled ? "in order" : "shuffle", 3,
        if: model.slideshow.showsFavorites)
      + [HintBar.Hint(key: "any key", text: "pause", importance: 2, command: nil)]
  }

  /// Hints that differ in the current situation.
  ///
  /// An empty text hides the hint of an unavailable key.
  private var words: [Command: String] {
    if zoom.isOpen { return zoomWords }
    var words: [Command: String] = [:]
    words[.view(.nextPane)] = context.pane == .card ? "favorites" : "red panda"
    if model.showsGrid {
      words[.view(.grid)] = "red panda"
      (words[.view(.nextPane)], words[.card(.fetch)], words[.card(.back)]) = ("", "", "")
      if !context.isInTrash { words[.favorites(.favorite)] = "mark" }
      words[.view(.larger)] = "larger"
      words[.view(.smaller)] = "smaller"
    }
    if context.isInTrash {
      words[.favorites(.favorite)] = "restore"
      words[.favorites(.remove)] = "delete"
      words[.favorites(.clear)] = ""
    } else if card.isShownSaved, !model.showsGrid {
      words[.favorites(.favorite)] = card.isAnimating ? "" : "view favorite"
    }
    if favorites.collection == .trash { words[.favorites(.trash)] = "favorites" }
    words[.program(.cancel)] = cancelWord
    if case .problem = model.message, context.hasTrouble { words[.program(.problem)] = "why" }
    for binding in keys.bindings where binding.hint != nil {
      if commands.reason(against: binding.command) != nil { words[binding.command] = "" }
    }
    // That a caption is for the picture just kept ends without a new frame, so no hint says it.
    if !context.isTargetSaved {
      (words[.favorites(.caption)], words[.favorites(.tags)]) = ("", "")
    }
    return words
  }

  private var cancelWord: String? {
    if card.isAnimating { return "stop" }
    if context.pane == .carousel, !favorites.marked.isEmpty { return "unmark" }
    if !favorites.filterText.isEmpty { return "show all" }
    if favorites.collection == .trash { return "leave" }
    return model.showsGrid ? "red panda" : nil
  }

  /// The hints beside an enlarged picture.
  private var zoomWords: [Command: String] {
    var words = Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, "") })
    words[.view(.larger)] = "larger"
    words[.view(.smaller)] = "smaller"
    words[.view(.zoom)] = zoom.state?.isFitted == false ? "whole" : "pixels"
    words[.program(.cancel)] = "back"
    words[.picture(.details)] = "details"
    words[.program(.help)] = nil
    words[.program(.quit)] = nil
    return words
  }

  /// The commands that matter most where the user is.
  private var prominent: Set<Command> {
    if zoom.isOpen { return [.view(.larger), .view(.zoom), .program(.cancel)] }
    if context.isInTrash {
      return [.favorites(.favorite), .favorites(.remove), .program(.cancel)]
    }
    if model.showsGrid { return [.favorites(.show), .favorites(.favorite), .view(.grid)] }
    if context.pane == .carousel { return [.favorites(.show), .favorites(.remove)] }
    return card.isAnimating
      ? [.program(.cancel), .favorites(.favorite)]
      : [.card(.fetch), .favorites(.favorite), .view(.nextPane)]
  }

  private var urgent: Set<Command> {
    var urgent: Set<Command> = []
    if case .problem = model.message, context.hasTrouble { urgent.insert(.program(.problem)) }
    // Otherwise the only way out in view would end the program.
    if zoom.isOpen || favorites.isNarrowed { urgent.insert(.program(.cancel)) }
    if context.isInTrash {
      urgent.formUnion([.favorites(.favorite), .favorites(.remove)])
    } else if context.pane == .carousel {
      urgent.insert(.favorites(.show))
    }
    if model.showsGrid, !context.isInTrash {
      urgent.formUnion([.view(.grid), .favorites(.favorite)])
    }
    return urgent
  }
}
