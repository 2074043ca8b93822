/// An action of the user on pictures.
///
/// It is invoked by a key, a typed command or a subcommand.
package enum Action: String, Sendable {
  case fetch, favorite, remove, clear, restore, purge, hide
  case caption, tags
  case undo, redo
}

package enum ActionOutcome {
  /// Something was changed and is on disk.
  case done(Change)
  case refused(Refusal)
  /// The change could not be made; the stores are as they were.
  case failed(Action, any Error)

  package enum Change: Equatable, Sendable {
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
    /// - Parameters:
    ///   - count: the number of favorites that have another caption now.
    ///   - isCut: whether it is only the beginning of what was given.
    case captioned(String, count: Int, isCut: Bool)
    /// - Parameters:
    ///   - count: the number of favorites that have other tags now.
    ///   - full: the number of favorites that had no room for all.
    ///   - isRemoval: whether they have no tags now.
    case tagged(count: Int, full: Int, isRemoval: Bool)
    /// The steps in the order in which they were undone; never none.
    case undone([UndoneChange])
    /// As above.
    case redone([UndoneChange])
  }
}

/// The reason why an action would change nothing.
package enum Refusal: Hashable, Sendable {
  case noPicture
  case isFavorite
  case isNotFavorite
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

  /// Whether all is already as it was asked for.
  package var meansUnchanged: Bool {
    switch self {
    case .hasNoCaption, .hasThisCaption, .hasNoTags, .hasTheseTags, .nothingToChange: true
    default: false
    }
  }
}
