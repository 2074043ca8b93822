package import FoundationEssentials
internal import Grove

/// Provides drawings of the Bamboo Grove: the source that needs no network.
package struct BambooGroveSource: ImageSource {
  /// What the person reads.
  package let name = "Bamboo Grove"

  /// Whom its pictures credit.
  package static let credit = "drawn by Panda"

  private let seed: @Sendable () -> UInt64

  /// Creates a source.
  ///
  /// - Parameter seed: chooses each drawing; by default at random.
  package init(
    seed: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0...9_999_999_999) }
  ) {
    self.seed = seed
  }

  /// The address of the drawing of a seed: `panda://grove/SEED`.
  package static func address(seed: UInt64) -> URL {
    URL(string: "panda://grove/\(seed)")!
  }

  /// Draws the next red panda: about 0.1 s of one core, off the caller's actor.
  @concurrent
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    try Task.checkCancellation()
    let seed = seed()
    let drawing = BambooGrove.drawing(seed: seed)
    try Task.checkCancellation()
    return FetchedImage(
      url: Self.address(seed: seed), data: try drawing.pngData(), source: name,
      title: drawing.title, credit: Self.credit)
  }
}
