internal import PandaCore

/// The result of an action.
enum ActionOutcome {
  /// Something was changed, and is on disk.
  case done(Deed)
  /// Nothing was changed.
  case refused(Refusal)
  /// The change could not be made; the stores are as they were.
  case failed(Action, any Error)

  /// A change that was made.
  enum Deed: Equatable, Sendable {
    /// - Parameter count: the number of favorites now.
    case favorited(RemoteImage, count: Int)
    case removed(RemoteImage)
    case cleared(count: Int)
    case restored(RemoteImage)
    case hidden(RemoteImage)
    case captioned(String)
    case tagged([String])
    case undone(UndoneChange)
    case redone(UndoneChange)
  }
}

/// The reason why an action would change nothing.
enum Refusal: Hashable, Sendable {
  case noPicture
  case isFavorite
  case isNotFavorite
  /// The picture is in the trash, where nothing can be done but restoring.
  case isInTrash
  case hasLeftTrash
  case wasRemoved
  case isDamaged
  /// A favorite is removed before it is hidden.
  case hidesNoFavorite
  case onlyFavoritesHaveCaptions
  case hasNoCaption, hasThisCaption
  case hasNoTags, hasTheseTags
  case nothingToClear, nothingToUndo, nothingToRedo
  case nothingSeenBefore
  case isNotOnTheWeb
  case nothingWentWrong
}
