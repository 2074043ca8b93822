package import FoundationEssentials
package import PandaCore
package import TerminalKit

/// The user's settings, from the configuration file and the command line.
///
/// An absent setting has its default.
package struct Configuration: Hashable, Sendable {
  package var reduceMotion = false
  /// Shows the next panda after one was favorited.
  package var autoAdvance = true
  /// Lets the mouse select, favorite and scroll.
  package var mouse = true
  package var graphics = GraphicsOption.auto
  package var symbols = SymbolsOption.auto
  package var source = SourceChoice.automatic
  /// The user's own sources.
  package var sources: [SourceDescription] = []
  package var library = LibraryChoice.local
  /// The user's name in a shared library; nil means the user and the machine.
  package var author: String?
  /// The user's contact for servers; nil means the address of the project.
  package var contact: String?
  package var theme = Theme.auto
  /// The time for which the slideshow shows each picture, from 1 to 3,600 seconds.
  package var slideshowSeconds = 5
  /// The rebound commands with their keys; an empty list leaves a command without a key.
  ///
  /// They have no conflicts.
  var keys: [Command: [Key]] = [:]

  /// The default of every setting.
  package static let standard = Configuration()
  package static let secondsRange = 1...3_600

  package var keyTable: KeyTable { KeyTable.standard.rebound(keys).table }

  /// The addresses that the user named as sources: what they lead to may be private.
  package var namedSources: [URL] {
    let own = sources.flatMap(\.addresses)
    return if case .endpoint(let url) = source { own + [url] } else { own }
  }

  package enum Setting: String, CaseIterable, Sendable {
    case reduceMotion, autoAdvance, mouse, graphics, symbols, source, sources, library, author
    case contact, theme, slideshowSeconds, keys

    /// The settings whose defaults would be another library, name or source than the user's.
    static let withoutSubstitute: Set<Self> = [.library, .author, .source]
  }
}

extension Configuration {
  /// Returns the configuration with the command line's settings, which take precedence.
  func overridden(by options: Options) -> Configuration {
    var result = self
    if let source = options.source { result.source = source }
    // A directory on the command line is where the favorites are meant to be.
    if options.dataDirectory != nil { result.library = .local }
    if let library = options.library { result.library = library }
    if let graphics = options.graphics { result.graphics = graphics }
    if options.withoutMouse { result.mouse = false }
    return result
  }
}
