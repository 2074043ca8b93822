package import FoundationEssentials
internal import Grove
internal import Pantry
internal import SystemSupport
internal import PictureCodecs

/// Provides drawings of the Bamboo Grove, the source that needs no network.
package struct BambooGroveSource: ImageSource {
  package static let name = "Bamboo Grove"

  package var name: String { Self.name }

  package static let credit = "drawn by Panda"

  private let seed: @Sendable () -> UInt64
  private let order = Order()

  /// The state that a drawing depends on besides its seed.
  private final class Order: Sendable {
    /// The title of the previous drawing.
    let title = Lock<String?>(nil)
    /// The seed of the next drawing, if there is a sketch of it.
    let sketched = Lock<UInt64?>(nil)
  }

  /// A sixteenth of the pixels of a drawing.
  private static let sketchSize = PixelSize(width: 240, height: 180)

  /// The number of seeds to try for a title that differs from the previous one.
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
    let seed = order.sketched.withLock { $0.take() } ?? nextSeed()
    let drawing = BambooGrove.drawing(seed: seed)
    try Task.checkCancellation()
    return try Self.fetched(drawing, Self.address(seed: seed))
  }

  /// Draws the next red panda coarsely; ``fetchImage(progress:)`` draws the same one after that.
  @concurrent
  package func sketchNext() async throws -> FetchedImage? {
    let seed = nextSeed()
    order.sketched.withLock { $0 = seed }
    let drawing = BambooGrove.drawing(seed: seed, size: Self.sketchSize)
    return try Self.fetched(drawing, URL(string: "panda://sketch/\(seed)")!)
  }

  private static func fetched(_ drawing: GroveDrawing, _ url: URL) throws -> FetchedImage {
    var image = FetchedImage(
      url: url, data: try drawing.pngData(), source: name, title: drawing.title, credit: credit)
    // It was encoded here, and need not be decoded.
    image.header = PictureHeader(format: .png, size: drawing.bitmap.size)
    image.isTried = true
    return image
  }

  /// Returns a seed whose panda does not do the same as the one before.
  private func nextSeed() -> UInt64 {
    order.title.withLock { title in
      var next = seed()
      for _ in 1..<Self.attempts where BambooGrove.title(seed: next) == title { next = seed() }
      title = BambooGrove.title(seed: next)
      return next
    }
  }

  /// A moment in which a drawn panda differs from its picture.
  package enum Moment: CaseIterable, Sendable {
    case blink, twitch

    fileprivate var drawn: GroveMoment { self == .blink ? .blink : .twitch }
  }

  /// Returns whether a picture is a drawing of the grove.
  package static func isDrawing(_ image: RemoteImage) -> Bool { seed(of: image) != nil }

  /// Draws a picture of the grove again, in a moment, as a file; nil if it is drawn otherwise.
  ///
  /// The drawing may be one of an earlier version. Off the caller's actor: two drawings, and
  /// comparing one with the picture.
  @concurrent
  package static func drawing(of image: RemoteImage, in moment: Moment) async throws -> Data? {
    guard let seed = seed(of: image) else { return nil }
    let still = BambooGrove.drawing(seed: seed).bitmap
    let picture = try await PictureDecoder().decode(
      try await image.dataRepresentation.data(), covering: still.size)
    guard picture.bitmap == still else { return nil }
    try Task.checkCancellation()
    return try BambooGrove.drawing(seed: seed, moment.drawn).pngData()
  }

  private static func seed(of image: RemoteImage) -> UInt64? {
    let prefix = "panda://grove/"
    return image.id.hasPrefix(prefix) ? UInt64(image.id.dropFirst(prefix.count)) : nil
  }
}
