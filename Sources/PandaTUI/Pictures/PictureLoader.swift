internal import PandaCore
internal import Pantry

/// Makes pictures ready for one pane: reads, decodes, crops and prepares them off the main actor,
/// one at a time, and keeps the last ones.
@MainActor
final class PictureLoader {
  /// How a picture fills its rectangle.
  enum Fit: Hashable {
    /// All of it, stretched by less than a cell.
    case whole
    /// As much of it as has the rectangle's shape.
    case cropped
  }

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
    let fit: Fit
  }

  private let output: any PictureOutput
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
  ///   - capacity: how many are kept.
  ///   - onChange: called when one has become ready, or has failed.
  init(output: any PictureOutput, capacity: Int, onChange: @escaping @MainActor () -> Void) {
    self.output = output
    self.capacity = capacity
    self.onChange = onChange
  }

  /// Returns what there is of a picture, without starting anything.
  func picture(_ image: RemoteImage, size: CellSize, cell: PixelSize, fit: Fit) -> Result {
    let key = Key(id: image.id, size: size, pixels: cell, fit: fit)
    return results[key] ?? .underWay
  }

  /// Says which pictures are on the screen, the most wanted first.
  ///
  /// Those that are not ready are loaded in this order; the load of one that is wanted no longer is
  /// given up.
  func want(_ images: [(image: RemoteImage, size: CellSize)], cell: PixelSize, fit: Fit) {
    let keys = images.map { Key(id: $0.image.id, size: $0.size, pixels: cell, fit: fit) }
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
    let task = Task { [output, decoder] in
      let result: Result
      do {
        result = try await Self.load(
          image, size: key.size, cell: key.pixels, fit: key.fit, decoder: decoder, output: output)
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
    _ image: RemoteImage, size: CellSize, cell: PixelSize, fit: Fit, decoder: PictureDecoder,
    output: any PictureOutput
  ) async throws -> Result {
    let data = try await image.dataRepresentation.data()
    try Task.checkCancellation()
    // The shape of the rectangle as it is on the screen, in as many pixels as the output can show.
    let shape = PixelSize(width: size.columns * cell.width, height: size.rows * cell.height)
    let pixels = output.pixelsPerCell(cell)
    let target = PixelSize(width: size.columns * pixels.width, height: size.rows * pixels.height)
    let decoded = try await decoder.decode(data, covering: target)
    try Task.checkCancellation()
    let bitmap = fit == .cropped ? decoded.bitmap.cropped(toFill: shape) : decoded.bitmap
    let encoded = fit == .whole && !decoded.isIncomplete ? data : nil
    let prepared = output.prepare(bitmap, encoded: encoded, filling: size, cell: cell)
    return .ready(prepared, isIncomplete: decoded.isIncomplete)
  }
}
