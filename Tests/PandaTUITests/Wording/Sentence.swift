import PandaCore

@testable import PandaSession

/// What Panda says, by its case, for tests that are not about the words.
///
/// The words are in ``ActionWordsTests``, and nowhere else.
enum Sentence {
  /// A picture is a favorite now.
  static let added = done(.favorited(CardStateTests.image("added"), count: 1, twin: nil))
  /// The same of other changes, without the key that takes them back.
  static let removed = done(.removed(count: 1), NoNames())
  static let captioned = done(.captioned("Mei", count: 1, isCut: false), NoNames())
  static let tagged = done(.tagged(count: 1, full: 0, isRemoval: false), NoNames())

  /// What a failed fetch ends with, if a picture was drawn instead.
  static let drawnInstead = String(
    FetchWords(names: KeyTable.standard).drawnInstead("").trimmingPrefix(". "))

  /// Returns what is said of a change, with the keys of the screen or the words of `names`.
  static func done(
    _ change: ActionOutcome.Change, _ names: any ActionNames = KeyTable.standard
  ) -> String {
    ActionWords(names: names).sentence(for: change)
  }

  /// Returns why nothing was changed, as above.
  static func refused(
    _ refusal: Refusal, _ names: any ActionNames = KeyTable.standard
  ) -> String {
    ActionWords(names: names).sentence(for: refusal)
  }

  /// Returns the question before all favorites are removed.
  static func clearQuestion(_ count: Int) -> String {
    ActionWords(names: KeyTable.standard).clearQuestion(count: count).question
  }

  /// Returns why a setting is ignored.
  static func problem(in settings: String) -> String {
    Configuration.read(text: settings).problems.first?.sentence ?? "nothing is ignored"
  }

  /// Returns the first words of a sentence: where it is wrapped, they are in one line.
  static func beginning(of sentence: String) -> String {
    sentence.split(separator: " ").prefix(4).joined(separator: " ")
  }
}

/// Names no action, so that sentences are without hints.
struct NoNames: ActionNames {
  func name(of action: Action) -> String? { nil }
}
