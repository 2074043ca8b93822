internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import TerminalKit

@MainActor
struct ProgramCommands {
  let commands: Commands

  private var context: CommandContext { commands.context }
  private var card: CardPresenter { context.card }
  private var favorites: FavoritesPresenter { context.favorites }

  func reason(against command: Command.Program) -> String? {
    switch command {
    case .help, .redraw, .suspend, .quit: nil
    case .problem: context.hasTrouble ? nil : context.words.sentence(for: .nothingWentWrong)
    case .cancel:
      card.isAnimating || favorites.isNarrowed || context.pane == .carousel
        || context.model.returnsToGrid ? nil : ""
    }
  }

  func perform(_ command: Command.Program) {
    switch command {
    case .problem: showTrouble()
    case .help: context.model.dialog = .help(Situation(commands: commands).help)
    case .cancel: cancel()
    case .redraw: context.invalidate()
    case .suspend: suspend()
    case .quit: context.quit()
    }
  }

  /// Comes back by one step: from the fetch, the marks, the filter, the trash, the grid, the
  /// favorites beside the card, or a panda that was chosen in the grid.
  private func cancel() {
    if card.isAnimating, context.pane == .card {
      card.cancel()
    } else if context.pane == .carousel, !favorites.marked.isEmpty {
      favorites.marks.clear()
    } else if !favorites.filterText.isEmpty {
      favorites.filterText = ""
    } else if favorites.collection == .trash {
      favorites.collection = .favorites
    } else if context.model.showsGrid {
      ViewCommands(context: context).leaveGrid()
    } else if context.pane == .carousel {
      context.model.focus = .card
    } else if context.model.returnsToGrid {
      ViewCommands(context: context).openGrid()
    }
  }

  /// Stops the program after all pending actions, between two writes.
  ///
  /// A stopped program that held a lock would keep every other one from writing.
  private func suspend() {
    guard !context.isSuspending else { return }
    context.isSuspending = true
    context.begin {
      await context.session.library.betweenWrites {
        do {
          try context.display.suspend()
        } catch {
          context.log.error(.terminal, "Not suspended: \(technicalCause(of: error))")
          context.say(.problem(userMessage(for: error)))
        }
      }
      context.isSuspending = false
      context.redraw()
    }
  }

  nonisolated static let troubleTitle = "What went wrong"

  private func showTrouble() {
    var lines = context.model.trouble?.lines ?? []
    if let next = card.nextTry, !card.state.connection.isUp, next > context.clock.date {
      lines.append(TextDialog.Line(label: "next", text: "tried at \(ClockTime(next).words)"))
    }
    // That nothing is saved stays true, whatever else has gone wrong since.
    if let place = context.placeTrouble {
      if place.what != context.model.trouble?.what { lines += place.lines.dropLast() }
      lines.append(TextDialog.Line(label: "then", text: StorageWords.remedy))
    }
    lines += context.settingsIgnored.enumerated().map { number, problem in
      TextDialog.Line(label: number == 0 ? "ignored" : "", text: "\(problem)")
    }
    // A sentence is said once, whoever says it.
    var told: [String] = []
    lines.removeAll { line in
      defer { told.append(line.text) }
      return told.contains { $0.hasSuffix(line.text) }
    }
    context.model.dialog = .text(TextDialog(title: Self.troubleTitle, lines: lines))
  }
}

extension Trouble {
  fileprivate var lines: [TextDialog.Line] {
    var lines = [
      TextDialog.Line(label: "what", text: what.sanitized(upTo: 500)),
      TextDialog.Line(label: "why", text: sentence.sanitized(upTo: 500)),
    ]
    if cause != sentence {
      lines.append(TextDialog.Line(label: "cause", text: cause.sanitized(upTo: 2_000)))
    }
    lines.append(TextDialog.Line(label: "when", text: ClockTime.withDay(date)))
    return lines
  }
}
