internal import TerminalKit

/// The static description of a command: an entry of the ``KeyTable``.
struct CommandEntry: Sendable {
  /// A part of the help, in its order.
  enum HelpGroup: String, CaseIterable {
    case panda = "The panda"
    case favorites = "Your favorites"
    case moving = "Moving"
    case program = "The program"
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: Int

    /// A number typed before it repeats it.
    static let takesCount = Traits(rawValue: 1 << 0)
    /// It came after version 0.1.0, whose configuration files may give its keys to others.
    static let isNew = Traits(rawValue: 1 << 1)
    /// It is about the card, so that a grid on the whole screen makes way for it.
    static let needsCard = Traits(rawValue: 1 << 2)
    /// It shows something else, so that an enlarged picture makes way for it.
    static let endsZoom = Traits(rawValue: 1 << 3)
    static let isForZoom = Traits(rawValue: 1 << 4)
    /// Its key does not pause a running slideshow.
    static let keepsSlideshow = Traits(rawValue: 1 << 5)
    /// It needs all favorites to have been read.
    static let needsFavorites = Traits(rawValue: 1 << 6)
    /// Of these, it only needs the last one.
    static let needsOnlyTheirEnd = Traits(rawValue: 1 << 7)
    /// It applies to the carousel's content.
    static let needsCarousel = Traits(rawValue: 1 << 8)
    /// It changes one picture, the one on the card or the selected one.
    static let changesTarget = Traits(rawValue: 1 << 9)
    /// The user turns to a picture of the carousel, or to others than those in view.
    static let choosesFavorite = Traits(rawValue: 1 << 10)
  }

  let command: Command
  var keys: [Key]
  let help: String
  let group: HelpGroup
  /// Other names that a user may have for it, in lowercase.
  let synonyms: [String]
  let traits: Traits

  init(
    _ command: Command, _ keys: [Key], help: String,
    group: HelpGroup, synonyms: [String] = [], traits: Traits = []
  ) {
    self.command = command
    self.keys = keys
    self.help = help
    self.group = group
    self.synonyms = synonyms
    self.traits = traits
  }
}

extension Command {
  /// Its entry in the table, where every command is.
  var entry: CommandEntry { KeyTable.standard[self]! }

  func has(_ trait: CommandEntry.Traits) -> Bool { entry.traits.contains(trait) }
}
