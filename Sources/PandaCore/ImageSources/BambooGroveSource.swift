package import FoundationEssentials
internal import Grove
internal import Locking

/// Provides drawings of the Bamboo Grove, the source that needs no network.
package struct BambooGroveSource: ImageSource {
  /// The displayed name.
  package let name = "Bamboo Grove"

  /// The credit for its pictures.
  package static let credit = "drawn by Panda"

  private let seed: @Sendable () -> UInt64
  private let former = Former()

  /// What the drawing before was called.
  private final class Former: Sendable {
    let title = Lock<String?>(nil)
  }

  /// How many seeds are tried for another title than the one before.
  private static let attempts = 8

  /// Creates a source.
  ///
  /// - Parameter seed: chooses each drawing; random by default.
  package init(
    seed: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0...9_999_999_999) }
  ) {
    self.seed = seed
  }

  /// Returns the address of a seed's drawing: `panda://grove/SEED`.
  package static func address(seed: UInt64) -> URL {
    URL(string: "panda://grove/\(seed)")!
  }

  /// Draws the next red panda: about 0.1 s on one core, off the caller's actor.
  @concurrent
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    try Task.checkCancellation()
    let seed = nextSeed()
    let drawing = BambooGrove.drawing(seed: seed)
    try Task.checkCancellation()
    return FetchedImage(
      url: Self.address(seed: seed), data: try drawing.pngData(), source: name,
      title: drawing.title, credit: Self.credit)
  }

  /// Returns a seed whose panda does not do the same as the one before.
  private func nextSeed() -> UInt64 {
    former.title.withLock { title in
      var next = seed()
      for _ in 1..<Self.attempts where BambooGrove.title(seed: next) == title { next = seed() }
      title = BambooGrove.title(seed: next)
      return next
    }
  }
}
