internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The actions on pictures, shared by all presenters.
///
/// It determines the outcomes but does not word them; see ``ActionWords``.
@MainActor
struct PictureActions {
  /// The longest caption, in characters.
  nonisolated static let captionLimit = 500
  /// The longest line of tags, in characters: more than all that a picture can have.
  nonisolated static let tagsLimit = 900

  let controller: ImagesController

  /// Makes a picture a favorite.
  ///
  /// - Parameter isDamaged: whether less than the whole picture could be decoded.
  func favorite(_ image: RemoteImage, isDamaged: Bool = false) async -> ActionOutcome {
    if let refusal = refusalToFavorite(image, isDamaged: isDamaged) { return .refused(refusal) }
    return await attempt(.favorite) {
      let image = await controller.hashed(image)
      guard try await controller.saveImage(image: image) else { return .refused(.isFavorite) }
      return .done(
        .favorited(
          image, count: controller.images.count, twin: controller.nearDuplicate(of: image)))
    }
  }

  /// Returns why a picture cannot be made a favorite; nil if it can.
  func refusalToFavorite(_ image: RemoteImage, isDamaged: Bool) -> Refusal? {
    if controller.isSaved(image) { return .isFavorite }
    return isDamaged ? .isDamaged : nil
  }

  /// Moves a favorite to the trash.
  func remove(_ image: RemoteImage) async -> ActionOutcome { await remove([image]) }

  /// Moves favorites to the trash, in one step that can be undone.
  func remove(_ images: [RemoteImage]) async -> ActionOutcome {
    await attempt(.remove) {
      let count = try await controller.removeImages(images)
      // A key that is pressed twice must not report two removals.
      return count > 0 ? .done(.removed(count: count)) : .refused(.wasRemoved)
    }
  }

  /// Moves all favorites to the trash; the caller has asked for confirmation.
  func clear() async -> ActionOutcome {
    await attempt(.clear) {
      let count = try await controller.clearAllImages()
      return count > 0 ? .done(.cleared(count: count)) : .refused(.nothingToClear)
    }
  }

  /// Makes trashed pictures favorites again, in one step that can be undone.
  func restore(_ entries: [TrashedImage]) async -> ActionOutcome {
    await attempt(.restore) {
      let count = try await controller.restoreImages(entries)
      return count > 0 ? .done(.restored(count: count)) : .refused(.isFavorite)
    }
  }

  /// Deletes pictures from the trash for good; the caller has asked for confirmation.
  func purge(_ entries: [TrashedImage]) async -> ActionOutcome {
    await attempt(.purge) {
      let count = try await controller.purgeImages(entries)
      return count > 0 ? .done(.purged(count: count)) : .refused(.hasLeftTrash)
    }
  }

  /// Hides a picture for good.
  func hide(_ image: RemoteImage) async -> ActionOutcome {
    if let refusal = refusalToHide(image) { return .refused(refusal) }
    return await attempt(.hide) {
      try await controller.hideImage(image)
      return .done(.hidden(image))
    }
  }

  /// Returns why a picture cannot be hidden; nil if it can.
  func refusalToHide(_ image: RemoteImage) -> Refusal? {
    controller.isSaved(image) ? .hidesNoFavorite : nil
  }

  /// Writes a caption under a favorite; an empty one removes it.
  func setCaption(_ text: String, of image: RemoteImage) async -> ActionOutcome {
    guard let favorite = controller.saved(image) else {
      return .refused(.onlyFavoritesHaveCaptions)
    }
    let clean = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: Self.captionLimit + 1)
    let caption = clean.sanitized(upTo: Self.captionLimit)
    guard caption != favorite.caption ?? "" else {
      return .refused(caption.isEmpty ? .hasNoCaption : .hasThisCaption)
    }
    return await attempt(.caption) {
      try await controller.setCaption(caption, of: image)
      return .done(.captioned(caption, isCut: caption != clean))
    }
  }

  /// Sets the tags of a favorite; an empty text removes them.
  func setTags(_ text: String, of image: RemoteImage) async -> ActionOutcome {
    guard let favorite = controller.saved(image) else {
      return .refused(.onlyFavoritesHaveCaptions)
    }
    let clean = text.sanitized(upTo: 10 * Self.tagsLimit)
    if let excess = Tags.excess(in: clean) { return .refused(.tagsDoNotFit(excess)) }
    let tags = Tags.parse(clean)
    guard tags != favorite.tags else {
      return .refused(tags.isEmpty ? .hasNoTags : .hasTheseTags)
    }
    return await attempt(.tags) {
      try await controller.setTags(tags, of: image)
      return .done(.tagged(tags))
    }
  }

  /// Writes the same caption under favorites; an empty one removes theirs.
  func setCaption(_ text: String, of images: [RemoteImage]) async -> ActionOutcome {
    let caption = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: Self.captionLimit)
    return await attempt(.caption) {
      let count = try await controller.setCaption(caption, of: images)
      return count > 0 ? .done(.captionedMany(caption, count: count)) : .refused(.nothingToChange)
    }
  }

  /// Adds tags to favorites, and takes those after a minus away.
  ///
  /// Those that have as many as they can get no more, which the outcome tells.
  func changeTags(_ text: String, of images: [RemoteImage]) async -> ActionOutcome {
    let change = TagEdit(text.sanitized(upTo: 10 * Self.tagsLimit))
    if let excess = change.excess { return .refused(.tagsDoNotFit(excess)) }
    return await attempt(.tags) {
      let full = images.compactMap(controller.saved).count { change.overflows($0.tags) }
      let count = try await controller.changeTags(change, of: images)
      guard count > 0 else {
        return .refused(full > 0 ? .tagsDoNotFit(.manyTags) : .nothingToChange)
      }
      return .done(.taggedMany(count: count, full: full))
    }
  }

  /// Undoes the last changes.
  func undo(_ count: Int = 1) async -> ActionOutcome {
    await attempt(.undo) {
      let changes = try await steps(count) { try await controller.undo() }
      return changes.isEmpty ? .refused(.nothingToUndo) : .done(.undone(changes))
    }
  }

  /// Redoes the changes that were undone last.
  func redo(_ count: Int = 1) async -> ActionOutcome {
    await attempt(.redo) {
      let changes = try await steps(count) { try await controller.redo() }
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
