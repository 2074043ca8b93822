internal import PandaCore
internal import Pantry
internal import TerminalKit

/// What changes the favorites.
extension PlainSession {
  /// Makes the picture a favorite.
  func favorite() async {
    guard let image else { return refuse("There is no picture yet.") }
    guard !controller.isSaved(image) else { return say("It is a favorite already.") }
    guard look?.isIncomplete != true else {
      return refuse(
        "This picture is damaged and cannot be kept. \(PlainWord.fetch) fetches another.")
    }
    await change("Not saved", then: .favorite) {
      guard try await self.controller.saveImage(image: image) else {
        return "It is a favorite already."
      }
      return "Added to your favorites. You have \(self.controller.images.count)."
    }
  }

  /// Moves a favorite to the trash.
  func remove(_ number: Int?) async {
    guard await load() else { return }
    let wanted: RemoteImage
    if let number {
      guard let (numbered, isTrash) = numbered(number) else { return }
      guard !isTrash else {
        return refuse(
          "What is in the trash goes by itself after \(ImageLibrary.trashDays) days.")
      }
      wanted = numbered
    } else {
      guard let image else { return refuse("There is no picture yet.") }
      wanted = image
    }
    guard controller.isSaved(wanted) else { return refuse("This panda is not a favorite.") }
    await change("Not removed", then: .remove) {
      try await self.controller.removeImage(image: wanted)
      return "\(wanted.name): in the trash for \(ImageLibrary.trashDays) days."
        + " \(PlainWord.undo) takes that back."
    }
  }

  /// Moves all favorites to the trash; who calls it has asked.
  func clear() async {
    await change("Not cleared", then: .clear) {
      try await self.controller.clearAllImages()
      return "All favorites are in the trash for \(ImageLibrary.trashDays) days."
        + " \(PlainWord.undo) takes that back."
    }
  }

  /// Makes a favorite again what has this number in the list of the trash.
  func restore(_ number: Int) async {
    guard await load() else { return }
    guard let (image, isTrash) = numbered(number) else { return }
    guard isTrash else {
      return refuse(
        "The last list was of favorites. \(PlainWord.trash) lists what can be restored.")
    }
    guard let entry = library.trash.items.last(where: { $0.id == image.id }),
      !controller.isSaved(image)
    else { return refuse("This panda is not in the trash any more.", .notFound) }
    await change("Not restored", then: .restore) {
      try await self.library.restore([entry])
      return "\(image.name): a favorite again, in its place."
    }
  }

  /// Writes a caption under the favorite; an empty one takes it away.
  func setCaption(_ text: String) async {
    guard let image = favoriteToWrite else { return }
    // As much as the screen's dialog takes.
    let caption = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: 500)
    guard caption != image.caption ?? "" else {
      return say(
        caption.isEmpty
          ? "It has no caption. Type \(PlainWord.caption) and then the text."
          : "That is its caption already.")
    }
    await change("Caption not saved", then: .caption) {
      try await self.library.setCaption(caption, of: image)
      return "Caption \(caption.isEmpty ? "taken away" : "saved")."
        + " \(PlainWord.undo) takes that back."
    }
  }

  /// Gives the favorite tags; none takes them away.
  func setTags(_ text: String) async {
    guard let image = favoriteToWrite else { return }
    let tags = Tags.parse(text.sanitized(upTo: 900))
    guard tags != image.tags else {
      return say(
        tags.isEmpty
          ? "It has no tags. Type \(PlainWord.tags) and then words with spaces between."
          : "Those are its tags already.")
    }
    await change("Tags not saved", then: .tags) {
      try await self.library.setTags(tags, of: image)
      return "Tags \(tags.isEmpty ? "taken away" : "saved"). \(PlainWord.undo) takes that back."
    }
  }

  /// The favorite that captions and tags are for; says why there is none.
  private var favoriteToWrite: RemoteImage? {
    guard let image else {
      refuse("There is no picture yet.")
      return nil
    }
    guard let favorite = controller.saved(image) else {
      refuse("Only favorites have captions and tags. \(PlainWord.favorite) makes it one.")
      return nil
    }
    return favorite
  }

  // MARK: Undo

  func undo() async {
    await change("Not undone", then: .undo, nothing: "There is nothing to undo.") {
      try await self.library.undo().map {
        "Undone: \($0.words). \(PlainWord.redo) does it again."
      }
    }
  }

  func redo() async {
    await change("Not done again", then: .redo, nothing: "There is nothing to do again.") {
      try await self.library.redo().map {
        "Done again: \($0.words). \(PlainWord.undo) takes that back."
      }
    }
  }

  /// Does something and says what was done, or that there was nothing to do, or why it was not.
  private func change(
    _ failure: String, then word: PlainWord, nothing: String = "Nothing was changed.",
    _ work: () async throws -> String?
  ) async {
    do {
      if let done = try await work() { say(done) } else { refuse(nothing) }
    } catch {
      fail(failure, error, then: "\(word) tries again")
    }
  }
}
