package import TerminalKit

/// The static description of a command: an entry of the ``KeyTable``.
package struct CommandEntry: Sendable {
  /// A part of the help, in its order.
  package enum HelpGroup: String, CaseIterable {
    case panda = "The panda"
    case favorites = "Your favorites"
    case moving = "Moving"
    case program = "The program"
  }

  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A number typed before it repeats it.
    package static let takesCount = Traits(rawValue: 1 << 0)
    /// It came after version 0.1.0, whose configuration files may give its keys to others.
    static let isNew = Traits(rawValue: 1 << 1)
    /// It is about the card, so that a grid on the whole screen makes way for it.
    package static let needsCard = Traits(rawValue: 1 << 2)
    /// It shows something else, so that an enlarged picture makes way for it.
    package static let endsZoom = Traits(rawValue: 1 << 3)
    package static let isForZoom = Traits(rawValue: 1 << 4)
    /// Its key does not pause a running slideshow.
    package static let keepsSlideshow = Traits(rawValue: 1 << 5)
    /// It needs all favorites to have been read.
    package static let needsFavorites = Traits(rawValue: 1 << 6)
    /// Of these, it can do with the newest, if they are all that there are.
    package static let needsAllKnown = Traits(rawValue: 1 << 7)
    /// It applies to the carousel's content.
    package static let needsCarousel = Traits(rawValue: 1 << 8)
    /// It changes one picture, the one on the card or the selected one.
    package static let changesTarget = Traits(rawValue: 1 << 9)
    /// The user turns to a picture of the carousel, or to others than those in view.
    package static let choosesFavorite = Traits(rawValue: 1 << 10)
  }

  package let command: Command
  package var keys: [Key]
  package let help: String
  package let group: HelpGroup
  /// Other names that a user may have for it, in lowercase.
  package let synonyms: [String]
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
  package var entry: CommandEntry { KeyTable.standard[self]! }

  package func has(_ trait: CommandEntry.Traits) -> Bool { entry.traits.contains(trait) }
}
