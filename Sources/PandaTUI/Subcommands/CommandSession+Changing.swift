internal import PandaCore
internal import TerminalKit

/// Commands that change favorites.
extension CommandSession {
  func setCaption(_ text: String, of id: String) async throws {
    let image = try await favorite(id)
    try await load()
    try tell(await controller.setCaption(text, of: [image]), of: image.name)
  }

  func changeTags(_ changes: String, of id: String) async throws {
    let image = try await favorite(id)
    try await load()
    try tell(await controller.changeTags(changes, of: [image]), of: image.name)
  }

  func remove(_ selection: PictureSelection) async throws {
    try await load()
    let images: [RemoteImage]
    switch selection {
    case .ids(let ids): images = try await favorites(ids)
    case .all(let filter): images = try await favorites(matching: filter)
    }
    if images.count == 1 {
      return try tell(await controller.remove(images), of: images[0].name)
    }
    try tell(await controller.remove(images))
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
        "purge deletes \(pandas(entries.count)) for good; --yes says that you mean it", .usage)
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

  /// A number of pictures, such as "1 panda".
  func pandas(_ count: Int) -> String { count == 1 ? "1 panda" : "\(count) pandas" }
}
