import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import TerminalKit

@testable import PandaTUI

/// Favorites for a screen that shows hundreds.
@MainActor
enum ManyFavorites {
  /// Puts favorites into the `data` directory of an ``AppDriver``.
  ///
  /// - Parameter sources: the names of the sources, which they have in turn.
  static func save(
    _ count: Int, in directory: TemporaryDirectory, titled title: String? = nil,
    from sources: [String] = ["zoo.example"]
  ) async throws {
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.favorites.add(
      (1...count).map { number in
        RemoteImage(
          createdAt: Date(timeIntervalSince1970: 1_790_000_000 + Double(number)),
          url: URL(string: "https://zoo.example/\(number)")!, width: 64, height: 48,
          dataRepresentation: Attachment(try SmallSource.png(number)),
          source: sources[(number - 1) % sources.count],
          title: title ?? "Panda \(number)")
      })
    await library.close()
  }
}

extension AppDriver {
  /// Waits until all visible thumbnails are drawn, and none is still being loaded for later.
  func expectAllThumbnails() async throws {
    try await expect("all thumbnails") { display in
      let places = app.context.carousel.shown.places
      return app.context.carousel.loader?.isSettled == true && !places.isEmpty
        && places.contains { $0.id == app.context.favorites.state.selection }
        && display.canvas.placements.count == places.count
    }
  }
}
