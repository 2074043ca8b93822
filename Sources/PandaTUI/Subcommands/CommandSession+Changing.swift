internal import PandaCore
internal import TerminalKit

extension CommandSession {
  func setCaption(_ text: String, of selection: PictureSelection) async throws {
    let images = try await targets(selection)
    try tell(await controller.setCaption(text, of: images), of: images)
  }

  func changeTags(_ changes: String, of selection: PictureSelection) async throws {
    let images = try await targets(selection)
    try tell(await controller.changeTags(changes, of: images), of: images)
  }

  func remove(_ selection: PictureSelection) async throws {
    let images = try await favorites(selection)
    try tell(await controller.remove(images), of: images)
  }

  /// Returns the pictures that get a caption or tags; why one that is no favorite gets none is told
  /// by the outcome.
  private func targets(_ selection: PictureSelection) async throws -> [RemoteImage] {
    guard case .ids(let ids) = selection else { return try await favorites(selection) }
    var images: [RemoteImage] = []
    for id in ids { images.append(try await favorite(id)) }
    try await load()
    return images
  }

  /// Reports an outcome; a single favorite is named.
  private func tell(_ outcome: ActionOutcome, of images: [RemoteImage]) throws {
    try tell(outcome, of: images.count == 1 ? images[0].name : nil)
  }

  func restore(_ selection: PictureSelection) async throws {
    try await load()
    try await reading { try await controller.library.trash.itemsHaveLoaded() }
    let entries: [TrashedImage]
    switch selection {
    case .ids([]): entries = controller.library.trashed.suffix(1)
    case .ids(let ids): entries = try await trashed(ids)
    case .all: entries = controller.library.trashed
    }
    guard !entries.isEmpty else { throw CommandFailure(ActionWords.emptyTrash, .notFound) }
    if entries.count == 1 {
      return try tell(await controller.restore(entries), of: entries[0].image.name)
    }
    try tell(await controller.restore(entries))
  }

  func purge(_ selection: PictureSelection, isConfirmed: Bool) async throws {
    try await load()
    try await reading { try await controller.library.trash.itemsHaveLoaded() }
    let entries =
      switch selection {
      case .ids(let ids): try await trashed(ids)
      case .all: controller.library.trashed
      }
    guard !entries.isEmpty else { throw CommandFailure(ActionWords.emptyTrash, .notFound) }
    guard isConfirmed || output.canAsk else {
      throw CommandFailure(
        "purge deletes \(pandas(entries.count)) for good; confirm with --yes", .usage)
    }
    guard isConfirmed || output.ask("Delete \(pandas(entries.count)) for good?") else {
      output.say("Nothing was deleted")
      return
    }
    try tell(await controller.purge(entries))
  }

  func undo(_ count: Int) async throws {
    try await load()
    try tell(await controller.undo(count))
  }

  func redo(_ count: Int) async throws {
    try await load()
    try tell(await controller.redo(count))
  }

  func pandas(_ count: Int) -> String { count == 1 ? "1 panda" : "\(count) pandas" }
}
