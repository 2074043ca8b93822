internal import TerminalKit

/// The settings on the command line; the configuration file may have others.
struct Options: Hashable, Sendable {
  /// The source of pictures; nil if it is not given.
  var source: SourceChoice?
  /// The directory of favorites instead of `$XDG_DATA_HOME/panda`, as typed.
  var dataDirectory: String?
  /// The place of the favorites; nil if it is not given.
  var library: LibraryChoice?
  /// The way to show pictures; nil if it is not given.
  var graphics: GraphicsOption?
  /// The configuration file instead of the standard one, as typed.
  var configurationFile: String?
  var withoutMouse = false
  /// Uses the line-based interface: no frames, pictures or animation.
  var plain = false
  /// Leaves the descriptions of pictures out of the line-based interface.
  var quiet = false
  var log = false

  /// Those of a command line without options.
  static let none = Options()
}
