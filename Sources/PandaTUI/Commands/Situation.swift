internal import PandaSession
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
    if let picking = context.picking {
      return HelpDialog(picking.helpKeys(keys), texts: Picking.helpTexts) { _ in nil }
    }
    if context.isInTrash {
      texts[.favorites(.favorite)] = "Restore it as a favorite"
      texts[.favorites(.remove)] = "Delete it for good, after asking"
      texts[.favorites(.trash)] = "Go back to the favorites"
    } else if context.pane == .carousel {
      texts[.favorites(.favorite)] = "Mark the favorite, and go on"
    } else if card.isShownSaved {
      texts[.favorites(.favorite)] = "Find it among the favorites"
    }
    if model.showsGrid, !zoom.isOpen { texts[.view(.grid)] = "Go back to Red Panda" }
    return HelpDialog(keys, texts: texts) { commands.reason(against: $0) }
  }

  // MARK: The hints

  var hintBar: HintBar {
    if let dialog = model.dialog { return HintBar(dialog.hints) }
    if let field = model.filterField {
      return HintBar([
        HintBar.Hint(key: "enter", text: "choose", command: nil, pressed: .enter),
        HintBar.Hint(key: "esc", text: "show all", command: nil, pressed: .escape),
        HintBar.Hint(
          key: "↓",
          text: field.text.isEmpty && keys[.favorites(.collections)] != nil
            ? "tags and filters" : "select",
          command: nil, pressed: .down),
      ])
    }
    if model.slideshow.isRunning {
      return HintBar(model.slideshow.frame == nil ? slideshowHints : [])
    }
    return HintBar(keys, hints, urgent: urgent) { commands.reason(against: $0) == nil }
  }

  private var slideshowHints: [HintBar.Hint] {
    func hint(_ command: Command, _ text: String, if isUseful: Bool) -> [HintBar.Hint] {
      let key = keys.label(of: command)
      guard isUseful, !key.isEmpty else { return [] }
      return [HintBar.Hint(key: key, text: text, command: command)]
    }
    let favorite = Command.favorites(.favorite)
    let keeps = card.isShownSaved ? "mark" : "keep"
    return hint(favorite, keeps, if: commands.reason(against: favorite) == nil)
      + [HintBar.Hint(key: "any key", text: "pause", command: nil)]
      + hint(
        .favorites(.sort), model.slideshow.isShuffled ? "in order" : "shuffle",
        if: model.slideshow.showsFavorites)
  }

  /// The commands that matter here, the most important one first.
  private var hints: [(command: Command, text: String)] {
    let help = (Command.program(.help), "help")
    let back = (Command.program(.cancel), cancelWord ?? "back")
    if let picking = context.picking {
      return picking.hints(marked: favorites.marks.ids.count)
    }
    var hints: [(Command, String)] =
      if zoom.isOpen {
        [
          (.view(.larger), "larger"), (.view(.smaller), "smaller"),
          (.view(.zoom), zoom.state?.isFitted == false ? "whole" : "pixels"), help,
          (.program(.cancel), "back"),
        ]
      } else if context.isInTrash, favorites.list.isEmpty {
        [help, back]
      } else if context.isInTrash {
        [
          (.favorites(.favorite), "restore"), (.favorites(.remove), "delete"),
          (.favorites(.show), "open"), help, back,
        ]
      } else if model.showsGrid {
        [
          (.favorites(.favorite), "mark"), (.favorites(.show), "open"),
          (.favorites(.filter), "filter"), help, back,
        ]
      } else if context.pane == .carousel {
        [
          (.favorites(.show), "open"), (.favorites(.favorite), "mark"),
          (.favorites(.remove), "remove"), (.favorites(.filter), "filter"), help, back,
        ]
      } else {
        cardHints
      }
    // After the keys that are always there.
    if asksWhy, let place = hints.firstIndex(where: { $0.0 == .program(.help) }) {
      hints.insert((.program(.problem), "why"), at: place)
    }
    return hints
  }

  private var cardHints: [(command: Command, text: String)] {
    let keep = (Command.favorites(.favorite), card.isShownSaved ? "find it" : "keep")
    let second = cancelWord.map { (Command.program(.cancel), $0) }
    let panes = context.layout.carousel == nil ? nil : (Command.view(.nextPane), "favorites")
    return [(.card(.fetch), "another"), keep] + [second ?? panes].compactMap { $0 }
      + [(.program(.help), "help"), (.program(.quit), "quit")]
  }

  /// The action of Esc before it goes back; nil if none.
  private var cancelWord: String? {
    if card.isAnimating, context.pane == .card { return "stop" }
    if context.pane == .carousel, !favorites.marked.isEmpty { return "unmark" }
    if !favorites.filterText.isEmpty { return "show all" }
    return favorites.collection == .trash ? "favorites" : nil
  }

  /// Whether something has just gone wrong, so that the cause is worth a key.
  private var asksWhy: Bool {
    switch model.message {
    case .problem: context.hasTrouble
    case .news: context.hasTrouble && !card.state.connection.isUp
    case .info, .outcome, nil: false
    }
  }

  /// Otherwise the only way out in view would end the program.
  private var urgent: Set<Command> {
    var urgent: Set<Command> = []
    if asksWhy { urgent.insert(.program(.problem)) }
    if zoom.isOpen || favorites.isNarrowed { urgent.insert(.program(.cancel)) }
    return urgent
  }
}
