package import TerminalKit

/// The settings on the command line; the configuration file may have others.
package struct Options: Hashable, Sendable {
  /// The source of pictures; nil if it is not given.
  package var source: SourceChoice?
  /// The directory of favorites instead of `$XDG_DATA_HOME/panda`, as typed.
  package var dataDirectory: String?
  /// The place of the favorites; nil if it is not given.
  package var library: LibraryChoice?
  /// The way to show pictures; nil if it is not given.
  package var graphics: GraphicsOption?
  /// The configuration file instead of the standard one, as typed.
  package var configurationFile: String?
  package var withoutMouse = false
  /// Uses the line-based interface: no frames, pictures or animation.
  package var plain = false
  /// Leaves the descriptions of pictures out of the line-based interface.
  package var quiet = false
  package var log = false

  /// Those of a command line without options.
  package static let none = Options()
}
