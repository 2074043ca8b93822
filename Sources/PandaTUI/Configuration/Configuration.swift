internal import PandaCore
internal import TerminalKit

/// What the person set, in the configuration file and on the command line.
///
/// What is absent has its default.
struct Configuration: Hashable, Sendable {
  /// Nothing moves by itself; what would slide is there at once.
  var reduceMotion = false
  /// After favoriting, the next panda comes.
  var autoAdvance = true
  /// The mouse selects, favorites and scrolls.
  var mouse = true
  /// How pictures are shown.
  var graphics = GraphicsOption.auto
  /// Which symbols pictures are made of, where they are made of symbols.
  var symbols = SymbolsOption.auto
  /// Where pictures come from.
  var source = SourceChoice.automatic
  /// The person's own sources.
  var sources: [SourceDescription] = []
  /// How servers can reach the person; nil for the address of the project.
  var contact: String?
  /// Which background the colours are chosen for.
  var theme = Theme.auto
  /// How long a picture stays in the slideshow, from 1 to 3,600 seconds.
  var slideshowSeconds = 5
  /// How long until a network that was gone is tried again, from 1 to 3,600 seconds.
  ///
  /// It doubles at each failure.
  var retrySeconds = 5
  /// The keys of the commands that have others than in the table; none for one without a key.
  ///
  /// They are free of conflicts.
  var keys: [Command: [Key]] = [:]

  /// What `slideshowSeconds` and `retrySeconds` may be.
  static let secondsRange = 1...3_600

  /// The keys of all commands.
  var keyTable: KeyTable { KeyTable.standard.rebound(keys).table }

  /// The names of the settings in the file.
  enum Setting: String, CaseIterable, Sendable {
    case reduceMotion, autoAdvance, mouse, graphics, symbols, source, sources, contact, theme
    case slideshowSeconds, retrySeconds, keys
  }
}

extension Configuration {
  /// The configuration with what the command line says about the same things: that wins.
  func overridden(by options: Options) -> Configuration {
    var result = self
    if let source = options.source { result.source = source }
    if let graphics = options.graphics { result.graphics = graphics }
    if options.withoutMouse { result.mouse = false }
    return result
  }
}
