internal import PandaCore
internal import PandaSession

/// What `panda pick` makes of the screen: the grid, for choosing favorites or files of a folder.
///
/// Its keys are some of the grid's, and it changes nothing but its own selection and marks.
@MainActor
final class Picking {
  let takesOne: Bool
  /// The files with a name for them all; nil if favorites are chosen.
  let folder: (pictures: FolderPictures, name: String)?
  /// What they are limited to.
  let filter: String
  /// The pictures that were chosen, in the order of the grid; nil for none.
  private(set) var chosen: [RemoteImage]?
  /// Why the favorites could not be read.
  private(set) var failure: (any Error)?
  private(set) var isEmpty = false
  private(set) var unreadable = 0

  init(takesOne: Bool, folder: (pictures: FolderPictures, name: String)?, filter: String) {
    self.takesOne = takesOne
    self.folder = folder
    self.filter = filter
  }

  // MARK: Commands

  private static let marks = [Command.Favorites.favorite, .mark, .markRange, .markAll]
    .map(Command.favorites)

  func reason(against command: Command) -> String? {
    takesOne && Self.marks.contains(command)
      ? "Only one picture can be chosen, so nothing is marked" : nil
  }

  /// Performs a command that does something else than in the program; false for any other.
  func perform(_ command: Command, in context: CommandContext) -> Bool {
    let favorites = context.favorites!
    switch command {
    case .favorites(.show):
      if favorites.marks.isEmpty {
        chosen = favorites.selected(1)
      } else {
        // Those that a filter hides were marked as well.
        favorites.filterText = ""
        chosen = favorites.marked
      }
      context.quit()
    case .program(.cancel): context.quit()
    default: return false
    }
    return true
  }

  /// The commands that do something else than in the program.
  nonisolated static let helpTexts: [Command: String] = [
    .favorites(.show): "Choose the marked, or the selected",
    .favorites(.favorite): "Mark the selected one, and go on",
    .favorites(.mark): "Mark the selected one, and go on",
    .favorites(.markAll): "Mark all that match, or none",
    .favorites(.filter): "Show only what matches a filter",
    .program(.cancel): "Choose nothing",
    .program(.quit): "Choose nothing",
    .view(.larger): "Show larger pictures",
    .view(.smaller): "Show smaller pictures",
  ]

  /// Returns the keys in its help.
  func helpKeys(_ keys: KeyTable) -> KeyTable {
    KeyTable(bindings: keys.bindings.filter { reason(against: $0.command) == nil })
  }

  /// Returns the hints, the most important one first.
  func hints(marked: Int) -> [(command: Command, text: String)] {
    [(.favorites(.show), marked > 0 ? "choose \(marked)" : "choose")]
      + (takesOne ? [] : [(.favorites(.favorite), "mark")])
      + [(.favorites(.filter), "filter"), (.program(.help), "help"), (.program(.cancel), "cancel")]
  }

  // MARK: Reading

  /// Reads the favorites, or looks into the files of the folder, beside what the user does.
  func load(_ context: CommandContext) async {
    let favorites = context.favorites!
    do {
      try await favorites.load()
    } catch {
      failure = error
      return context.quit()
    }
    var isEmpty = favorites.controller.images.isEmpty
    if let folder {
      let (checked, unreadable) = await folder.pictures.checked()
      self.unreadable = unreadable
      if checked.images.count != folder.pictures.images.count || unreadable > 0 {
        favorites.files = checked.images
      }
      isEmpty = checked.images.isEmpty
      if let unreadableWords { context.say(.problem(unreadableWords)) }
    }
    self.isEmpty = isEmpty
    if !isEmpty, !filter.isEmpty, favorites.filterText.isEmpty, favorites.list.isEmpty {
      failure = CommandFailure("Nothing matches \(filter.forMessage)", .notFound)
    }
    if isEmpty || failure != nil { context.quit() }
  }

  /// How many files could not be read; nil for none.
  var unreadableWords: String? {
    switch unreadable {
    case 0: nil
    case 1: "1 file could not be read"
    default: "\(unreadable) files could not be read"
    }
  }
}

extension KeyTable {
  var forPicking: KeyTable {
    KeyTable(
      bindings: bindings.filter { entry in
        switch entry.command {
        case .move: true
        case .favorites(let command):
          [.favorite, .mark, .markRange, .markAll, .show, .filter].contains(command)
        case .view(let command): [.larger, .smaller].contains(command)
        case .program(let command): [.help, .cancel, .quit, .redraw, .suspend].contains(command)
        case .card, .picture: false
        }
      })
  }
}
