/// Receives what happens, with every cause, if the user asked for a log.
///
/// A value that is passed like other dependencies, and not one for the whole process: programs that
/// run side by side in a test would otherwise write into one another's logs. Where the entries go,
/// and what is left out of them, is decided by its creator: see `LogFile` of PandaSession.
package struct Log: Sendable {
  package enum Level: String, Sendable {
    case error
    /// Something happened that explains later entries.
    case notice
  }

  /// The part of the program that an entry is about.
  package enum Area: String, CaseIterable, Sendable {
    case program, network, storage, pictures, terminal, config
  }

  package struct Entry: Sendable {
    package let level: Level
    package let area: Area
    /// A sentence, which may quote anything: it is cleaned where it is written.
    package let text: String

    package init(level: Level, area: Area, text: String) {
      self.level = level
      self.area = area
      self.text = text
    }
  }

  private let receive: (@Sendable (Entry) -> Void)?

  /// Creates a log.
  ///
  /// - Parameter receive: called on the thread of the event; it must be quick.
  package init(_ receive: @escaping @Sendable (Entry) -> Void) { self.receive = receive }

  private init() { receive = nil }

  /// The log that discards everything: no text is even made.
  package static let off = Log()

  package func error(_ area: Area, _ text: @autoclosure () -> String) {
    receive?(Entry(level: .error, area: area, text: text()))
  }

  package func notice(_ area: Area, _ text: @autoclosure () -> String) {
    receive?(Entry(level: .notice, area: area, text: text()))
  }
}
