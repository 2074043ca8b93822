import PandaCore
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import PandaTUI

/// The words of what came of an action; other tests name the case.
@Suite struct ActionWordsTests {
  @Test(
    arguments: [
      (.favorited(CardStateTests.image("a"), count: 1, twin: nil), "Kept in your favorites"),
      (.removed(count: 1), "In the trash for 30 days. u takes it back"),
      (.removed(count: 3), "3 pandas are in the trash for 30 days. u takes them back"),
      (.cleared(count: 1), "Your one favorite is in the trash for 30 days. u takes it back"),
      (.cleared(count: 2), "All favorites are in the trash for 30 days. u takes them back"),
      (.restored(count: 1), "A favorite again, in its former place"),
      (.restored(count: 3), "3 favorites again, in their former places"),
      (.purged(count: 1), "1 panda is deleted for good"),
      (.purged(count: 2), "2 pandas are deleted for good"),
      (.hidden(CardStateTests.image("a")), "You will not see this panda again. u takes it back"),
      (.captioned("Mei", count: 1, isCut: false), "Caption saved. u takes it back"),
      (
        .captioned("Mei", count: 1, isCut: true),
        "Caption saved, cut to its first 500 characters. u takes it back"
      ),
      (.captioned("", count: 1, isCut: false), "Caption removed. u takes it back"),
      (.captioned("Mei", count: 3, isCut: false), "Captions of 3 pandas saved. u takes them back"),
      (.captioned("", count: 3, isCut: false), "Captions of 3 pandas removed. u takes them back"),
      (.tagged(count: 1, full: 0, isRemoval: false), "Tags saved. u takes it back"),
      (
        .tagged(count: 1, full: 1, isRemoval: false),
        "Tags saved, but 1 cannot have more than 20. u takes it back"
      ),
      (.tagged(count: 3, full: 0, isRemoval: false), "Tags of 3 pandas saved. u takes them back"),
      (.tagged(count: 1, full: 0, isRemoval: true), "Tags removed. u takes it back"),
    ] as [(ActionOutcome.Change, String)])
  func `a change is reported with the key that undoes it`(
    _ change: ActionOutcome.Change, _ sentence: String
  ) {
    #expect(Sentence.done(change) == sentence)
  }

  @Test(
    arguments: [
      (.noPicture, "No picture yet"), (.isFavorite, "Already a favorite"),
      (.isNotFavorite, "This panda is not a favorite"),
      (.hasLeftTrash, "This panda is no longer in the trash"),
      (.wasRemoved, "Already in the trash"),
      (.isDamaged, "This picture is damaged and cannot be kept. f fetches another"),
      (.hidesNoFavorite, "It is a favorite; x removes it first"),
      (.onlyFavoritesHaveCaptions, "Only favorites have captions and tags; space keeps it"),
      (.hasNoCaption, "It has no caption"), (.hasThisCaption, "That is its caption already"),
      (.hasNoTags, "It has no tags"), (.hasTheseTags, "Those are its tags already"),
      (.tagsDoNotFit(.longTag), "A tag has at most 40 characters"),
      (.tagsDoNotFit(.manyTags), "A panda has at most 20 tags"),
      (.nothingToChange, "Nothing to change"),
      (.nothingToClear, "No favorites to remove"),
      (.nothingToUndo, "Nothing to undo"), (.nothingToRedo, "Nothing to redo"),
      (.nothingSeenBefore, "No panda was shown before this one"),
      (.isNotOnTheWeb, "This panda has no public address"),
      (.nothingWentWrong, "Nothing has gone wrong"),
    ] as [(Refusal, String)])
  func `a refusal says why`(_ refusal: Refusal, _ sentence: String) {
    #expect(Sentence.refused(refusal) == sentence)
  }

  @Test func `hints have the words of the program or of the shell`() {
    let removal = ActionOutcome.Change.removed(count: 1)
    #expect(Sentence.done(removal, PlainNames()).hasSuffix("days. undo takes it back"))
    #expect(Sentence.done(removal, SubcommandNames()).hasSuffix("days. panda undo takes it back"))
    #expect(Sentence.done(removal, NoNames()).hasSuffix(" days"))
  }

  @Test func `a question names the number of pictures it affects`() {
    #expect(Sentence.clearQuestion(1) == "Move your one favorite to the trash?")
    #expect(Sentence.clearQuestion(2) == "Move all 2 favorites to the trash?")
  }

  @Test(arguments: [
    (ActionWords.favorites(0), "You have no favorites yet"),
    (ActionWords.favorites(1), "You have 1 favorite"),
    (ActionWords.favorites(2), "You have 2 favorites"),
    (ActionWords.emptyTrash, "The trash is empty"),
    (StorageWords.notSaved, "Your favorites are kept only until you quit"),
    (StorageWords.unreadable, "Your favorites cannot be opened"),
    (StorageWords.remedy, "panda --data-dir DIRECTORY keeps them elsewhere"),
    (lockedMessage, "The favorites are locked by another program"),
    (FavoritesCarouselView.invitation, "Red pandas you keep will appear here"),
    (HelpDialog.prompt, "type to filter"),
    (ProgramCommands.troubleTitle, "What went wrong"),
    (FavoritesCommands.captionNote, "Caption; empty removes it"),
    (FavoritesCommands.tagsNote, "Words with spaces between, such as: sleepy snow"),
    (
      FavoritesCommands.tagChangesNote,
      "Words to add, and words to take away after a minus: sleepy -snow"
    ),
    (ViewCommands.noOtherSize(isLarger: false), "The pictures are as small as they get"),
  ])
  func `sentences that others name`(_ named: String, _ sentence: String) {
    #expect(named == sentence)
  }
}
