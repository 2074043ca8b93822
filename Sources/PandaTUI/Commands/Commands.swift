internal import PandaCore
internal import PandaSession
internal import TerminalKit

/// Performs commands, or says why they are not available.
///
/// The rules for all of them are here; each set of commands has its own file.
@MainActor
struct Commands {
  let context: CommandContext
  /// Reads the favorites, which could not be read before.
  let readFavorites: @MainActor () -> Void

  fileprivate static let areRead = "Your favorites are still being read"

  /// Returns why a command is not available; nil if it is.
  func reason(against command: Command) -> String? {
    if let reason = context.picking?.reason(against: command) { return reason }
    let favorites = context.favorites!
    if context.zoom.isOpen, command.has(.isForZoom) { return nil }
    if command.has(.needsFavorites), !favorites.controller.imagesHaveLoaded,
      !(command.has(.needsAllKnown) && favorites.hasAll)
    {
      return favorites.problem ?? Self.areRead
    }
    if command.has(.needsCarousel), context.layout.carousel == nil,
      !(command == .favorites(.trash) && context.hasRoomForFavorites)
    {
      if favorites.isKnownEmpty { return context.emptySentence }
      return favorites.isFolded ? Self.areRead : "The window is too small for the favorites"
    }
    return switch command {
    case .card(let command): CardCommands(context: context).reason(against: command)
    case .picture(let command): PictureCommands(context: context).reason(against: command)
    case .favorites(let command): FavoritesCommands(context: context).reason(against: command)
    case .move: favorites.selected == nil ? context.emptySentence : nil
    case .view(let command): ViewCommands(context: context).reason(against: command)
    case .program(let command): ProgramCommands(commands: self).reason(against: command)
    }
  }

  /// Performs a command, or says why it is not available.
  func perform(_ command: Command, count: Int = 1) {
    if let reason = reason(against: command) { return refuse(command, count, reason) }
    if context.picking?.perform(command, in: context) == true { return }
    let (enlarged, target) = (context.zoom.image, context.target)
    if enlarged != nil {
      if ZoomCommands(context: context).perform(command, count: count) { return }
      if command.has(.endsZoom) { context.zoom.close() }
    }
    if command.has(.needsCard) {
      ViewCommands(context: context).leaveGrid()
      context.model.returnsToGrid = false
    }
    if command.has(.choosesFavorite) { context.card.recordChoice() }
    switch command {
    case .card(let command): CardCommands(context: context).perform(command, count, on: target)
    case .picture(let command): PictureCommands(context: context).perform(command)
    case .favorites(let command):
      FavoritesCommands(context: context).perform(command, count, enlarged: enlarged)
    case .move(let move): context.favorites.move(move, count: count)
    case .view(let command): ViewCommands(context: context).perform(command, count)
    case .program(let command): ProgramCommands(commands: self).perform(command)
    }
  }

  private func refuse(_ command: Command, _ count: Int, _ reason: String) {
    // Esc with nothing to cancel says nothing.
    if command == .program(.cancel) { return }
    let favorites = context.favorites!
    // Those that are being read have no place on the screen yet.
    let isNeeded = command.has(.needsFavorites) || command.has(.needsCarousel) && favorites.isFolded
    let canPass = isNeeded && !favorites.controller.imagesHaveLoaded
    // Its outcome then replaces the reason.
    context.say(canPass ? .outcome(reason) : .info(reason))
    guard canPass else { return }
    if favorites.problem != nil {
      // The reason why the favorites could not be read may be gone.
      readFavorites()
    } else {
      context.model.deferred = DeferredCommand(
        command: command, count: count, target: context.target?.id)
    }
  }

  /// Performs the command that was given before the favorites had been read.
  ///
  /// It is dropped if its picture has been replaced by another one.
  func performDeferred() {
    guard let waiting = context.model.deferred else { return }
    context.model.deferred = nil
    context.model.clearMessage()
    if waiting.command.has(.changesTarget), waiting.target != context.target?.id { return }
    perform(waiting.command, count: waiting.count)
  }
}

extension CommandContext {
  /// The reason why there is no picture that commands apply to.
  var reasonWithoutPicture: String {
    pane == .carousel ? emptySentence : words.sentence(for: .noPicture)
  }

  var emptySentence: String {
    switch (isInTrash, isFiltered: !favorites.filterText.isEmpty) {
    case (false, false) where favorites.isFolded && !favorites.isKnownEmpty: Commands.areRead
    case (false, false):
      keys.sentence("No favorites yet", then: .favorites(.favorite), "keeps the panda")
    case (false, true):
      FavoritesFilter.problem(in: favorites.filterText)?.sanitized(upTo: 100)
        ?? "No favorite matches the filter"
    case (true, false): ActionWords.emptyTrash
    case (true, true): "Nothing in the trash matches the filter"
    }
  }
}
