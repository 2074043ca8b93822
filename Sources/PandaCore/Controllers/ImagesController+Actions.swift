internal import SystemSupport

/// The actions of the user on pictures: one set of verbs for the screen, `--plain` and the shell.
///
/// What they change is on disk when they return. They determine the outcome but do not word it.
extension ImagesController {
  package nonisolated static let captionLimit = RemoteImage.captionLimit
  /// The longest line of tags, in characters: more than all that a picture can have.
  package nonisolated static let tagsLimit = 900

  /// Makes a picture a favorite.
  ///
  /// - Parameter isDamaged: whether less than the whole picture could be decoded.
  package func favorite(_ image: RemoteImage, isDamaged: Bool = false) async -> ActionOutcome {
    await attempt(.favorite) {
      if isDamaged { return .refused(isSaved(image) ? .isFavorite : .isDamaged) }
      let image = await library.hasher.hashed(image)
      guard try await saveImage(image: image) else { return .refused(.isFavorite) }
      return .done(
        .favorited(
          image, count: images.count, twin: NearDuplicates.nearest(to: image, in: images)))
    }
  }

  /// Moves favorites to the trash, in one step that can be undone.
  package func remove(_ images: [RemoteImage]) async -> ActionOutcome {
    await attempt(.remove) {
      let count = try await library.remove(images)
      // A key that is pressed twice must not report two removals.
      return count > 0 ? .done(.removed(count: count)) : .refused(.wasRemoved)
    }
  }

  /// Moves all favorites to the trash; the caller has asked for confirmation.
  package func clear() async -> ActionOutcome {
    await attempt(.clear) {
      let count = try await clearAllImages()
      return count > 0 ? .done(.cleared(count: count)) : .refused(.nothingToClear)
    }
  }

  /// Makes trashed pictures favorites again, in one step that can be undone.
  package func restore(_ entries: [TrashedImage]) async -> ActionOutcome {
    await attempt(.restore) {
      let count = try await library.restore(entries)
      return count > 0 ? .done(.restored(count: count)) : .refused(.isFavorite)
    }
  }

  /// Deletes pictures from the trash for good; the caller has asked for confirmation.
  package func purge(_ entries: [TrashedImage]) async -> ActionOutcome {
    await attempt(.purge) {
      let count = try await library.purge(entries)
      return count > 0 ? .done(.purged(count: count)) : .refused(.hasLeftTrash)
    }
  }

  package func hide(_ image: RemoteImage) async -> ActionOutcome {
    if let refusal = refusalToHide(image) { return .refused(refusal) }
    return await attempt(.hide) {
      try await library.hide(image)
      return .done(.hidden(image))
    }
  }

  /// Returns why a picture cannot be hidden; nil if it can.
  package func refusalToHide(_ image: RemoteImage) -> Refusal? {
    isSaved(image) ? .hidesNoFavorite : nil
  }

  /// Writes the same caption under favorites, in one step; an empty one removes theirs.
  package func setCaption(_ text: String, of images: [RemoteImage]) async -> ActionOutcome {
    let clean = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: Self.captionLimit + 1)
    let caption = clean.sanitized(upTo: Self.captionLimit)
    return await attempt(.caption) {
      guard images.contains(where: isSaved) else { return .refused(.onlyFavoritesHaveCaptions) }
      let count = try await library.setCaption(caption, of: images)
      if count > 0 {
        return .done(.captioned(caption, count: count, isCut: caption != clean))
      }
      return .refused(
        images.count > 1
          ? .nothingToChange : caption.isEmpty ? .hasNoCaption : .hasThisCaption)
    }
  }

  /// Sets the tags of a favorite; an empty text removes them.
  package func setTags(_ text: String, of image: RemoteImage) async -> ActionOutcome {
    let clean = text.sanitized(upTo: 10 * Self.tagsLimit)
    if let excess = Tags.excess(in: clean) { return .refused(.tagsDoNotFit(excess)) }
    let tags = Tags.parse(clean)
    return await attempt(.tags) {
      guard isSaved(image) else { return .refused(.onlyFavoritesHaveCaptions) }
      guard try await library.setTags(tags, of: [image]) > 0 else {
        return .refused(tags.isEmpty ? .hasNoTags : .hasTheseTags)
      }
      return .done(.tagged(count: 1, full: 0, isRemoval: tags.isEmpty))
    }
  }

  /// Adds tags to favorites, and takes those after a minus away, in one step.
  ///
  /// Of several, those that have as many as they can get no more, which the outcome tells.
  ///
  /// - Parameter collection: a collection to keep in the same step, if any favorite is changed.
  package func changeTags(
    _ text: String, of images: [RemoteImage], keeping collection: SavedFilter? = nil
  ) async -> ActionOutcome {
    let change = TagEdit(text.sanitized(upTo: 10 * Self.tagsLimit))
    if let excess = change.excess { return .refused(.tagsDoNotFit(excess)) }
    return await attempt(.tags) {
      let favorites = images.compactMap(saved)
      guard !favorites.isEmpty else { return .refused(.onlyFavoritesHaveCaptions) }
      let full = favorites.count { change.overflows($0.tags) }
      if full == 1, images.count == 1 { return .refused(.tagsDoNotFit(.manyTags)) }
      let count = try await library.changeTags(change, of: favorites, keeping: collection)
      if count > 0 {
        let isRemoval = favorites.allSatisfy { change.applied(to: $0.tags).isEmpty }
        return .done(.tagged(count: count, full: full, isRemoval: isRemoval))
      }
      if full > 0 { return .refused(.tagsDoNotFit(.manyTags)) }
      return .refused(images.count == 1 ? .hasTheseTags : .nothingToChange)
    }
  }

  package func undo(_ count: Int = 1) async -> ActionOutcome {
    await attempt(.undo) {
      let changes = try await steps(count, library.undo)
      return changes.isEmpty ? .refused(.nothingToUndo) : .done(.undone(changes))
    }
  }

  package func redo(_ count: Int = 1) async -> ActionOutcome {
    await attempt(.redo) {
      let changes = try await steps(count, library.redo)
      return changes.isEmpty ? .refused(.nothingToRedo) : .done(.redone(changes))
    }
  }

  private func steps(
    _ count: Int, _ step: () async throws -> UndoneChange?
  ) async throws -> [UndoneChange] {
    var changes: [UndoneChange] = []
    while changes.count < count, let change = try await step() { changes.append(change) }
    return changes
  }

  private func attempt(
    _ action: Action, _ body: () async throws -> ActionOutcome
  ) async -> ActionOutcome {
    do {
      return try await body()
    } catch {
      return .failed(action, error)
    }
  }
}
