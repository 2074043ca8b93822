internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// Makes pictures ready for one pane: reads, decodes and prepares them off the main actor, one at a
/// time, and keeps the last ones.
///
/// A loader shows pictures whole, or their thumbnails.
@MainActor
final class PictureLoader {
  /// What there is to show of a picture.
  enum Result {
    case ready(any PreparedPicture, isIncomplete: Bool)
    case failed(String)
    case underWay
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

  private let output: any PictureOutput
  /// Where thumbnails come from; nil where pictures are shown whole.
  private let thumbnails: ThumbnailCache?
  private let decoder = PictureDecoder()
  private let capacity: Int
  private let onChange: @MainActor () -> Void
  private var results: [Key: Result] = [:]
  /// The keys of `results` from the one used longest ago.
  private var recency: [Key] = []
  private var wanted: [(key: Key, image: RemoteImage)] = []
  private var worker: (task: Task<Void, Never>, key: Key)?

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - output: what the pictures are prepared for.
  ///   - thumbnails: where thumbnails come from; nil shows pictures whole.
  ///   - capacity: how many are kept.
  ///   - onChange: called when one has become ready, or has failed.
  init(
    output: any PictureOutput, thumbnails: ThumbnailCache? = nil, capacity: Int,
    onChange: @escaping @MainActor () -> Void
  ) {
    self.output = output
    self.thumbnails = thumbnails
    self.capacity = capacity
    self.onChange = onChange
  }

  /// Returns what there is of a picture, without starting anything.
  func picture(
    _ image: RemoteImage, size: CellSize, cell: PixelSize, rainbow: Rainbow? = nil
  ) -> Result {
    let key = Key(id: image.id, size: size, pixels: cell, rainbow: rainbow)
    return results[key] ?? .underWay
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
        result = try await Self.load(
          image, size: key.size, cell: key.pixels, rainbow: key.rainbow, decoder: decoder,
          thumbnails: thumbnails, output: output)
      } catch is CancellationError {
        return
      } catch {
        result = .failed(calmSentence(for: error))
      }
      guard !Task.isCancelled else { return }
      finish(key, result)
    }
    worker = (task, key)
  }

  private func finish(_ key: Key, _ result: Result) {
    worker = nil
    wanted.removeAll { $0.key == key }
    results[key] = result
    touch(key)
    while recency.count > capacity { results[recency.removeFirst()] = nil }
    onChange()
    startNext()
  }

  private func touch(_ key: Key) {
    recency.removeAll { $0 == key }
    recency.append(key)
  }

  @concurrent
  private static func load(
    _ image: RemoteImage, size: CellSize, cell: PixelSize, rainbow: Rainbow?,
    decoder: PictureDecoder, thumbnails: ThumbnailCache?, output: any PictureOutput
  ) async throws -> Result {
    let data: Data?
    let decoded: DecodedPicture
    let pixels = output.pixelsPerCell(cell)
    let target = PixelSize(width: size.columns * pixels.width, height: size.rows * pixels.height)
    if let thumbnails {
      data = nil
      decoded = try await thumbnails.thumbnail(
        of: image.dataRepresentation, covering: target, decoder: decoder)
    } else {
      let bytes = try await image.dataRepresentation.data()
      try Task.checkCancellation()
      decoded = try await decoder.decode(bytes, covering: target)
      data = decoded.isIncomplete || decoded.isTurned ? nil : bytes
    }
    try Task.checkCancellation()
    let bitmap = rainbow?.over(decoded.bitmap) ?? decoded.bitmap
    let prepared = output.prepare(
      bitmap, encoded: rainbow == nil ? data : nil, filling: size, cell: cell)
    return .ready(prepared, isIncomplete: decoded.isIncomplete)
  }
}
