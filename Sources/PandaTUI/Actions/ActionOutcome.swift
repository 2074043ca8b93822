internal import PandaCore

/// The result of an action.
enum ActionOutcome {
  /// Something was changed and is on disk.
  case done(Change)
  /// Nothing was changed.
  case refused(Refusal)
  /// The change could not be made; the stores are as they were.
  case failed(Action, any Error)

  /// A change that was made.
  enum Change: Equatable, Sendable {
    /// - Parameters:
    ///   - count: the number of favorites now.
    ///   - twin: another favorite that looks like it, if there is one.
    case favorited(RemoteImage, count: Int, twin: RemoteImage?)
    case removed(count: Int)
    case cleared(count: Int)
    case restored(count: Int)
    /// Deleted from the trash, which cannot be undone.
    case purged(count: Int)
    case hidden(RemoteImage)
    /// - Parameter isCut: whether it is only the beginning of what was given.
    case captioned(String, isCut: Bool)
    case tagged([String])
    /// - Parameter count: the number of favorites that have another caption now.
    case captionedMany(String, count: Int)
    /// - Parameters:
    ///   - count: the number of favorites that have other tags now.
    ///   - full: the number of favorites that had no room for all.
    case taggedMany(count: Int, full: Int)
    /// The steps in the order in which they were undone; never none.
    case undone([UndoneChange])
    /// As above.
    case redone([UndoneChange])
  }
}

/// The reason why an action would change nothing.
enum Refusal: Hashable, Sendable {
  case noPicture
  case isFavorite
  case isNotFavorite
  /// The picture is in the trash, where it can only be restored.
  case isInTrash
  case hasLeftTrash
  case wasRemoved
  case isDamaged
  /// A favorite must be removed before it can be hidden.
  case hidesNoFavorite
  case onlyFavoritesHaveCaptions
  case hasNoCaption, hasThisCaption
  case hasNoTags, hasTheseTags
  case tagsDoNotFit(Tags.Excess)
  /// None of many would change.
  case nothingToChange
  case nothingToClear, nothingToUndo, nothingToRedo
  case nothingSeenBefore
  case isNotOnTheWeb
  case nothingWentWrong
  case notInKiosk

  /// Whether all is already as it was asked for.
  var meansUnchanged: Bool {
    switch self {
    case .hasNoCaption, .hasThisCaption, .hasNoTags, .hasTheseTags, .nothingToChange: true
    default: false
    }
  }
}
