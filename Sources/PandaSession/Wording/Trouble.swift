package import FoundationEssentials
package import PandaCore
package import Pantry
package import TerminalKit

/// A problem with its technical cause, which the user can look up.
package struct Trouble: Sendable {
  /// A description of the action that failed.
  package let what: String
  package let sentence: String
  /// The technical cause: host, status, bytes, codes.
  package let cause: String
  package let date: Date
  /// The part of the program that it is about, for the log.
  package let area: Log.Area
  /// Whether the favorites file is damaged, so that it can be recovered.
  package let isDamage: Bool
  /// Whether a library is missing that pictures need.
  package var isMissingLibrary = false

  package init(_ what: String, _ error: any Error, at date: Date) {
    self.what = what
    sentence = userMessage(for: error)
    cause = technicalCause(of: error)
    self.date = date
    area = Log.Area(of: error)
    isDamage = ErrorKind(of: error) == .damage
  }

  /// Words that opening the favorites waits for another program's lock.
  package static func locked(at date: Date) -> Trouble {
    Trouble(
      what: "Your favorites cannot be opened yet",
      sentence: lockedMessage,
      cause: "Opening the file waits for a SQLite lock.", date: date, area: .storage,
      isDamage: false)
  }

  package static func cutOff(because reason: String, at date: Date) -> Trouble {
    Trouble(
      what: "Cut off from the shared favorites", sentence: reason, cause: reason, date: date,
      area: .storage, isDamage: false)
  }

  /// Words that pictures are not shown as they could be, for lack of a library.
  package static func missingLibrary(_ choice: PictureChoice, at date: Date) -> Trouble {
    Trouble(
      what: choice.path == .none
        ? "No pictures: a library is missing"
        : "Pictures are drawn as symbols: a library is missing",
      sentence: choice.reason, cause: choice.reason, date: date, area: .pictures, isDamage: false,
      isMissingLibrary: true)
  }

  private init(
    what: String, sentence: String, cause: String, date: Date, area: Log.Area, isDamage: Bool,
    isMissingLibrary: Bool = false
  ) {
    self.what = what
    self.sentence = sentence
    self.cause = cause
    self.date = date
    self.area = area
    self.isDamage = isDamage
    self.isMissingLibrary = isMissingLibrary
  }

  /// Words a recovery after `damage`, which it keeps as the cause.
  package init(recovered report: RecoveryReport, after damage: Trouble) {
    what = "The favorites file was recovered"
    sentence = RecoveryWords(report: report).sentence
    cause = "\(damage.cause) The damaged file: \(report.originalPath)"
    date = damage.date
    area = damage.area
    isDamage = false
  }
}
