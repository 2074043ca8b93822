package import PandaCore

/// Words all outcomes for all presenters, without a period at the end.
package struct ActionWords {
  package let names: any ActionNames

  package init(names: any ActionNames) { self.names = names }

  package static let emptyTrash = "The trash is empty"

  package static func favorites(_ count: Int) -> String {
    switch count {
    case 0: "You have no favorites yet"
    case 1: "You have 1 favorite"
    default: "You have \(count) favorites"
    }
  }

  /// Returns the sentence for a change that was made.
  package func sentence(for change: ActionOutcome.Change) -> String {
    switch change {
    case .favorited(_, _, let twin?):
      "Kept in your favorites; it looks like one from \(PictureDay(twin.savedAt ?? twin.createdAt).words)"
    case .favorited: "Kept in your favorites"
    case .removed(count: 1): undoable("In the trash for \(ImageLibrary.trashDays) days")
    case .removed(let count):
      undoable("\(count) pandas are in the trash for \(ImageLibrary.trashDays) days", count)
    case .cleared(count: 1):
      undoable("Your one favorite is in the trash for \(ImageLibrary.trashDays) days")
    case .cleared(let count):
      undoable("All favorites are in the trash for \(ImageLibrary.trashDays) days", count)
    case .restored(count: 1): "A favorite again, in its former place"
    case .restored(let count): "\(count) favorites again, in their former places"
    case .purged(let count): "\(count == 1 ? "1 panda is" : "\(count) pandas are") deleted for good"
    case .hidden: undoable("You will not see this panda again")
    case .captioned(let caption, let count, let isCut):
      undoable(
        (count == 1 ? "Caption " : "Captions of \(count) pandas ")
          + (caption.isEmpty ? "removed" : "saved")
          + (isCut
            ? ", cut to \(count == 1 ? "its" : "their") first \(ImagesController.captionLimit) characters"
            : ""),
        count)
    case .tagged(let count, let full, let isRemoval):
      undoable(
        (count == 1 ? "Tags " : "Tags of \(count) pandas ") + (isRemoval ? "removed" : "saved")
          + (full > 0 ? ", but \(full) cannot have more than \(Tags.countLimit)" : ""), count)
    case .undone(let changes): sentence(forUndone: changes)
    case .redone(let changes):
      changes.contains { $0.count > 0 }
        ? undoable("Redone: \(words(of: changes))") : "Not redone: \(words(of: changes))"
    }
  }

  private func sentence(forUndone changes: [UndoneChange]) -> String {
    let words = words(of: changes)
    return changes.contains { $0.count > 0 }
      ? names.sentence(
        "Undone: \(words)", action: .redo,
        changes.count { $0.count > 0 } == 1 ? "brings it back" : "brings the last one back")
      : names.sentence("Not undone: \(words)", action: .undo, "undoes the change before it")
  }

  /// Returns the words of the first changes, and how many others there are.
  private func words(of changes: [UndoneChange]) -> String {
    let limit = 3
    let told = changes.prefix(limit).map(\.words).joined(separator: "; ")
    return changes.count > limit ? "\(told); and \(changes.count - limit) more" : told
  }

  private func undoable(_ sentence: String, _ count: Int = 1) -> String {
    names.sentence(sentence, action: .undo, count == 1 ? "takes it back" : "takes them back")
  }

  /// Returns the sentence for an action that would change nothing.
  package func sentence(for refusal: Refusal) -> String {
    switch refusal {
    case .noPicture: "No picture yet"
    case .isFavorite: "Already a favorite"
    case .isNotFavorite: "This panda is not a favorite"
    case .hasLeftTrash: "This panda is no longer in the trash"
    case .wasRemoved: "Already in the trash"
    case .isDamaged:
      names.sentence(
        "This picture is damaged and cannot be kept", action: .fetch, "fetches another")
    case .hidesNoFavorite:
      names.sentence("It is a favorite", separator: "; ", action: .remove, "removes it first")
    case .onlyFavoritesHaveCaptions:
      names.sentence(
        "Only favorites have captions and tags", separator: "; ", action: .favorite, "keeps it")
    case .hasNoCaption: "It has no caption"
    case .hasThisCaption: "That is its caption already"
    case .hasNoTags: "It has no tags"
    case .hasTheseTags: "Those are its tags already"
    case .tagsDoNotFit(.longTag): "A tag has at most \(Tags.characterLimit) characters"
    case .tagsDoNotFit(.manyTags): "A panda has at most \(Tags.countLimit) tags"
    case .nothingToChange: "Nothing to change"
    case .nothingToClear: "No favorites to remove"
    case .nothingToUndo: "Nothing to undo"
    case .nothingToRedo: "Nothing to redo"
    case .nothingSeenBefore: "No panda was shown before this one"
    case .isNotOnTheWeb: "This panda has no public address"
    case .nothingWentWrong: "Nothing has gone wrong"
    }
  }

  /// Returns the sentence for an action that failed.
  ///
  /// Such as "Not saved: The disk is full".
  package func sentence(forFailureOf action: Action, _ error: any Error) -> String {
    names.sentence(
      "\(failure(of: action)): \(userMessage(for: error))", action: action, "tries again")
  }

  /// Returns a phrase for the failure of an action, such as "Not saved".
  package func failure(of action: Action) -> String {
    switch action {
    case .fetch: "Not fetched"
    case .favorite: "Not kept"
    case .remove: "Not removed"
    case .clear: "Not cleared"
    case .restore: "Not restored"
    case .purge: "Not deleted"
    case .hide: "Not hidden"
    case .caption: "Caption not saved"
    case .tags: "Tags not saved"
    case .undo: "Undo failed"
    case .redo: "Redo failed"
    }
  }

  /// Returns the question before all favorites are removed, and a note on the consequences.
  package func clearQuestion(count: Int) -> (question: String, note: String) {
    (
      "Move \(count == 1 ? "your one favorite" : "all \(count) favorites") to the trash?",
      "\(count == 1 ? "It stays" : "They stay") there for \(ImageLibrary.trashDays) days."
    )
  }

  /// Returns the question before the favorites that match a filter are removed, with its note.
  package func clearQuestion(matches count: Int) -> (question: String, note: String) {
    (
      count == 1
        ? "Move the one favorite that matches to the trash?"
        : "Move the \(count) favorites that match to the trash?",
      "\(count == 1 ? "It stays" : "They stay") there for \(ImageLibrary.trashDays) days. "
        + "The others remain favorites."
    )
  }

  /// Returns the question before pictures in the trash are deleted for good, with its note.
  ///
  /// - Parameter name: what the first of them is called.
  package func purgeQuestion(count: Int, name: String) -> (question: String, note: String) {
    guard count == 1 else {
      return (
        "Delete \(count) pandas for good?",
        "\(name.shortened(to: 60)) and \(count - 1) more. This cannot be undone."
      )
    }
    return ("Delete \(name.shortened(to: 60)) for good?", "This cannot be undone.")
  }

  /// Returns the report of favorites that could not be decoded.
  package static func unreadable(_ count: Int) -> String {
    "\(count) of your favorites could not be read; they are left on disk as they are"
  }
}

extension UndoneChange {
  /// The change, such as "removing Mei", or the reason why nothing was changed.
  fileprivate var words: String {
    guard count > 0 else { return kept > 0 ? keeperWords : goneWords }
    let pandas =
      count == 1
      ? (image?.name.shortenedName(to: 44)).map { "“\($0)”" } ?? "1 panda" : "\(count) pandas"
    let words =
      switch change.kind {
      case .favorited: "keeping \(pandas)"
      case .restored: "restoring \(pandas)"
      case .removed: "removing \(pandas)"
      case .cleared: "removing \(pandas)"
      case .captioned: "the caption of \(pandas)"
      case .tagged: "the tags of \(pandas)"
      case .hidden: "hiding a panda"
      case .collection(let former, nil): "deleting \(Self.name(former))"
      case .collection(_, let new): "saving \(Self.name(new))"
      case .several(let kinds):
        switch (kinds.first, kinds.last) {
        case (_, .collection(_, let new)): "saving \(Self.name(new))"
        case (.captioned, _): "captions of \(pandas)"
        default: "tags of \(pandas)"
        }
      }
    guard kept > 0 else { return words }
    return "\(words), except \(kept) that \(keeperName) changed since"
  }

  private static func name(_ collection: SavedFilter?) -> String {
    "the collection \((collection?.name ?? "").shortenedName(to: 44))"
  }

  /// Names the user who changed its pictures: "ada@kitchen has changed it since".
  private var keeperWords: String {
    "\(keeperName) has changed \(kept == 1 ? "it" : "them") since"
  }

  private var keeperName: String { (keeper ?? "somebody else").sanitized(upTo: 60) }

  private var goneWords: String {
    switch change.kind {
    case .favorited(let ids), .restored(let ids), .removed(let ids), .cleared(let ids):
      (ids.count == 1 ? "the panda is" : "the pandas are")
        + (bringsBack ? " not in the trash any more" : " not among your favorites any more")
    case .captioned, .tagged, .several: "nothing is left of that change"
    case .hidden: "that panda has changed since"
    case .collection(let former, let new):
      (change.isUndone ? new : former) == nil
        ? "\(Self.name(former ?? new)) has changed since"
        : "another collection is named \((former ?? new)?.name ?? "")"
    }
  }
}
