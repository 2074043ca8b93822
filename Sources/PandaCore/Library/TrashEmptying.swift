internal import FoundationEssentials
internal import Pantry

/// Deletes pictures that were in the trash long enough, and what earlier versions left.
@MainActor
struct TrashEmptying {
  let library: ImageLibrary

  /// Deletes the shapes of favorites that 0.2.0 kept to find crops; those on a server stay for it.
  private func discardShapes() async throws {
    guard try await library.seen.libraryEngine?.file?.hasNamespace("PictureShape") == true else {
      return
    }
    let shapes = library.localEngine("PictureShape")
    if try await shapes.keyCount() > 0 { try await shapes.removeAllData() }
  }

  /// Deletes pictures that were in the trash for more than ``ImageLibrary/trashDays``.
  ///
  /// Nothing else is ever deleted, except what a killed import has left, and what 0.2.0 computed
  /// from the pictures and nothing reads anymore.
  ///
  /// No clock deletes anything alone. A picture's time is over if the library was also used after
  /// it, at least a day ago: a clock that is years ahead for an hour finds no such day. One without
  /// a battery may start in 1970; entries that it dated are redated.
  ///
  /// - Returns: how many pictures were deleted.
  @discardableResult
  func run() async throws -> Int {
    try await IncomingPictures(library: library).discardAbandoned()
    try? await discardShapes()  // the next start tries again
    try await library.seen.itemsHaveLoaded()
    let (trash, favorites) = (library.trash, library.favorites)
    return try await trash.transaction(with: favorites) { t in
      let moment = library.now()
      guard moment >= ImageLibrary.leastPlausibleDate else { return 0 }
      let misdated = trash.items.filter { $0.removedAt < ImageLibrary.leastPlausibleDate }
      if !misdated.isEmpty {
        t.add(
          misdated.map {
            TrashedImage(image: $0.image, removedAt: moment, removedBy: $0.removedBy)
          }, to: trash)
      }
      let uses = [
        library.seen.items.map(\.lastSeenAt), trash.items.map(\.removedAt),
        favorites.items.compactMap(\.savedAt),
      ].joined()
      guard let witness = uses.lazy.filter({ $0 <= moment - 86_400 }).max() else { return 0 }
      let oldest = witness - Double(ImageLibrary.trashDays) * 86_400
      let expired = trash.items.filter {
        $0.removedAt < oldest && $0.removedAt >= ImageLibrary.leastPlausibleDate
      }
      t.remove(expired, from: trash)
      return expired.count { !favorites.contains(identifier: $0.id) }
    }
  }
}
