internal import FoundationEssentials
internal import Observation
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Makes pictures ready for one pane: reads, decodes and prepares them off the main actor, one at a
/// time, and keeps the last ones.
///
/// A loader shows pictures whole, or their thumbnails. A picture that takes long to decode is there
/// coarse first.
@MainActor
@Observable
final class PictureLoader {
  /// What there is to show of a picture.
  enum Result {
    case ready(any PreparedPicture, isIncomplete: Bool)
    case failed(String)
    case underWay

    /// Whether there is nothing to show yet.
    var isUnderWay: Bool { if case .underWay = self { true } else { false } }
  }

  private struct Key: Hashable {
    let id: String
    let size: CellSize
    let pixels: PixelSize
    let rainbow: Rainbow?
  }

  /// A picture on the screen.
  struct Wanted {
    var image: RemoteImage
    var size: CellSize
    var rainbow: Rainbow?
  }

  @ObservationIgnored private let output: any PictureOutput
  /// Where thumbnails come from; nil where pictures are shown whole.
  @ObservationIgnored private let thumbnails: ThumbnailCache?
  @ObservationIgnored private let decoder = PictureDecoder()
  @ObservationIgnored private let capacity: Int
  private var results: [Key: Result] = [:]
  /// What is shown of pictures whose decoding is under way.
  private var coarse: [Key: any PreparedPicture] = [:]
  /// The keys of `results` from the one used longest ago.
  @ObservationIgnored private var recency: [Key] = []
  @ObservationIgnored private var wanted: [(key: Key, image: RemoteImage)] = []
  @ObservationIgnored private var worker: (task: Task<Void, Never>, key: Key)?

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - output: what the pictures are prepared for.
  ///   - thumbnails: where thumbnails come from; nil shows pictures whole.
  ///   - capacity: how many are kept.
  init(
    output: any PictureOutput, thumbnails: ThumbnailCache? = nil, capacity: Int
  ) {
    self.output = output
    self.thumbnails = thumbnails
    self.capacity = capacity
  }

  /// Returns what there is of a picture, without starting anything; observed.
  func picture(
    _ image: RemoteImage, size: CellSize, cell: PixelSize, rainbow: Rainbow? = nil
  ) -> Result {
    let key = Key(id: image.id, size: size, pixels: cell, rainbow: rainbow)
    return results[key] ?? coarse[key].map { .ready($0, isIncomplete: false) } ?? .underWay
  }

  /// Says which pictures are on the screen, the most wanted first.
  ///
  /// Those that are not ready are loaded in this order; the load of one that is wanted no longer is
  /// given up.
  func want(_ images: [Wanted], cell: PixelSize) {
    let keys = images.map { Key(id: $0.image.id, size: $0.size, pixels: cell, rainbow: $0.rainbow) }
    for key in keys where results[key] != nil { touch(key) }
    wanted = zip(keys, images).compactMap { key, wanted in
      results[key] == nil && !wanted.size.isEmpty ? (key, wanted.image) : nil
    }
    if !coarse.isEmpty { coarse = coarse.filter { kept in keys.contains(kept.key) } }
    if let worker, !wanted.contains(where: { $0.key == worker.key }) {
      worker.task.cancel()
      self.worker = nil
    }
    startNext()
  }

  private func startNext() {
    guard worker == nil, let (key, image) = wanted.first else { return }
    let task = Task { [output, decoder, thumbnails] in
      let result: Result
      do {
        if let thumbnails {
          result = try await Self.thumbnail(
            image, key, from: thumbnails, decoder: decoder, output: output)
        } else {
          let bytes = try await image.dataRepresentation.data()
          if let sketch = try await Self.sketch(bytes, key, decoder: decoder, output: output),
            !Task.isCancelled
          {
            coarse[key] = sketch
          }
          result = try await Self.whole(bytes, key, decoder: decoder, output: output)
        }
      } catch is CancellationError {
        return
      } catch {
        result = .failed(userMessage(for: error))
      }
      guard !Task.isCancelled else { return }
      finish(key, result)
    }
    worker = (task, key)
  }

  private func finish(_ key: Key, _ result: Result) {
    worker = nil
    wanted.removeAll { $0.key == key }
    coarse[key] = nil
    results[key] = result
    touch(key)
    while recency.count > capacity { results[recency.removeFirst()] = nil }
    startNext()
  }

  private func touch(_ key: Key) {
    recency.removeAll { $0 == key }
    recency.append(key)
  }

  /// JPEGs of fewer pixels are decoded before anybody sees a coarse one.
  private nonisolated static let coarsePixels = 2_000_000

  /// The picture from an eighth of its pixels, which JPEG decodes in a fraction of the time; nil
  /// where that would not be much sooner.
  @concurrent
  private static func sketch(
    _ bytes: Data, _ key: Key, decoder: PictureDecoder, output: any PictureOutput
  ) async throws -> (any PreparedPicture)? {
    try Task.checkCancellation()
    let header = try PictureDecoder.header(of: bytes)
    guard output.stretches, header.format == .jpeg,
      header.size.width * header.size.height >= coarsePixels
    else { return nil }
    let cell = PixelSize(width: max(1, key.pixels.width / 8), height: max(1, key.pixels.height / 8))
    let decoded = try await decoder.decode(
      bytes, covering: CellRect(key.size).pixels(cell: cell).size)
    let bitmap = key.rainbow?.over(decoded.bitmap) ?? decoded.bitmap
    return output.prepare(bitmap, encoded: nil, filling: key.size, cell: cell)
  }

  @concurrent
  private static func whole(
    _ bytes: Data, _ key: Key, decoder: PictureDecoder, output: any PictureOutput
  ) async throws -> Result {
    try Task.checkCancellation()
    let decoded = try await decoder.decode(bytes, covering: target(key, output))
    try Task.checkCancellation()
    let bitmap = key.rainbow?.over(decoded.bitmap) ?? decoded.bitmap
    let isOriginal = key.rainbow == nil && !decoded.isIncomplete && !decoded.isTurned
    let prepared = output.prepare(
      bitmap, encoded: isOriginal ? bytes : nil, filling: key.size, cell: key.pixels)
    return .ready(prepared, isIncomplete: decoded.isIncomplete)
  }

  @concurrent
  private static func thumbnail(
    _ image: RemoteImage, _ key: Key, from thumbnails: ThumbnailCache, decoder: PictureDecoder,
    output: any PictureOutput
  ) async throws -> Result {
    let decoded = try await thumbnails.thumbnail(
      of: image.dataRepresentation, covering: target(key, output), decoder: decoder)
    try Task.checkCancellation()
    let prepared = output.prepare(
      decoded.bitmap, encoded: nil, filling: key.size, cell: key.pixels)
    return .ready(prepared, isIncomplete: decoded.isIncomplete)
  }

  /// As many pixels as the output can show.
  private nonisolated static func target(_ key: Key, _ output: any PictureOutput) -> PixelSize {
    CellRect(key.size).pixels(cell: output.pixelsPerCell(key.pixels)).size
  }
}
