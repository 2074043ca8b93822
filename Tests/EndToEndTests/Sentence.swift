import Foundation
import PandaCore
import Pantry
import TerminalKit

@testable import PandaSession
@testable import PandaShell
@testable import PandaTUI

/// What Panda says, by its case; the tests of PandaTUI have the words.
enum Sentence {
  /// A picture is a favorite now.
  static let added = done(.favorited(panda(of: ""), count: 1, twin: nil), PlainNames())
  /// The same of other changes, without the key or the word that takes them back.
  static let removed = done(.removed(count: 1), NoNames())
  static let captioned = done(.captioned("Mei", count: 1, isCut: false), NoNames())
  static let tagged = done(.tagged(count: 1, full: 0, isRemoval: false), NoNames())

  /// The text in place of favorites until there are some.
  ///
  /// The word before it may be on the screen already, while they are being read.
  static let invitation = "(0)"

  /// The note of the dialog for a caption.
  static let captionNote = beginning(of: FavoritesCommands.captionNote)

  /// What the first fetch ends with, if it failed.
  static let failedAtLaunch = String(
    FetchWords(names: KeyTable.standard).failedAtLaunch("").trimmingPrefix(". "))

  /// Why there is no screen.
  static let notATerminal = userMessage(for: Screen.Failure.notATerminal)

  /// Returns what is said of a change.
  static func done(_ change: ActionOutcome.Change, _ names: any ActionNames) -> String {
    ActionWords(names: names).sentence(for: change)
  }

  /// Returns why nothing was changed, on the screen and in plain mode alike.
  static func refused(_ refusal: Refusal) -> String {
    ActionWords(names: NoNames()).sentence(for: refusal)
  }

  /// Returns the question before all favorites are removed.
  static func clearQuestion(_ count: Int) -> String {
    ActionWords(names: NoNames()).clearQuestion(count: count).question
  }

  /// Returns what a failed fetch ends with, if a picture was drawn instead.
  static func drawnInstead(_ names: any ActionNames) -> String {
    String(FetchWords(names: names).drawnInstead("").trimmingPrefix(". "))
  }

  /// Returns what is said at the end of favorites that were not saved, up to the reason.
  static var lost: String {
    String(StorageWords.lost(because: .readOnly(path: "/")).prefix { $0 != ":" })
  }

  /// Returns how a panda of a source is described, as far as that is all that is known.
  static func described(from source: String) -> String {
    String(AltText(panda(of: source)).description.dropLast())
  }

  /// Returns why a setting is ignored.
  static func problem(in settings: String) -> String {
    Configuration.read(text: settings).problems.first?.sentence ?? "nothing is ignored"
  }

  /// Returns the first words of a sentence: where it is wrapped, they are in one line.
  static func beginning(of sentence: String) -> String {
    sentence.split(separator: " ").prefix(3).joined(separator: " ")
  }

  private static func panda(of source: String) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(filePath: "/panda"), width: 0, height: 0,
      dataRepresentation: Attachment(Data()), source: source)
  }
}

/// Names no action, so that sentences are without hints.
private struct NoNames: ActionNames {
  func name(of action: Action) -> String? { nil }
}
