internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Returns the bytes of a picture; those of a favorite are its own.
typealias PictureAttachment = @Sendable (RemoteImage) async throws -> Attachment

/// Prepares pictures for one pane: reads, decodes and converts them off the main actor.
///
/// It caches the last ones.
///
/// A loader shows whole pictures, or their thumbnails. A picture that takes long to decode is shown
/// coarse first.
@MainActor
final class PictureLoader {
  enum Result {
    case ready(any PreparedPicture, isIncomplete: Bool = false, isThumbnail: Bool = false)
    case failed(String)
    case underWay

    var isUnderWay: Bool { if case .underWay = self { true } else { false } }
  }

  private struct Key: Hashable {
    let id: String
    let size: CellSize
    let pixels: PixelSize
    let rainbow: Rainbow?
    let isWhole: Bool

    init(
      _ id: String, _ size: CellSize, _ pixels: PixelSize, rainbow: Rainbow? = nil,
      isWhole: Bool = false
    ) {
      (self.id, self.size, self.pixels) = (id, size, pixels)
      (self.rainbow, self.isWhole) = (rainbow, isWhole)
    }

    var withoutRainbow: Key { Key(id, size, pixels) }
  }

  /// A picture on the screen.
  struct Wanted {
    var image: RemoteImage
    var size: CellSize
    var rainbow: Rainbow?
    /// Whether a thumbnail shows all of it.
    var isWhole = false
  }

  private let output: any PictureOutput
  /// The source of thumbnails; nil if whole pictures are shown.
  private let thumbnails: ThumbnailCache?
  /// Pictures that take long to decode; nil if none are kept.
  private let previews: PreviewCache?
  private let decoder = PictureDecoder()
  /// The number of pictures that are kept; more only while more are wanted.
  let capacity: Int
  private let log: Log
  /// Returns the bytes of a picture, of which thumbnails are made.
  private let attachment: PictureAttachment
  @Observed private var results: [Key: Result] = [:]
  /// Coarse versions of pictures that are still being decoded.
  @Observed private var coarse: [Key: any PreparedPicture] = [:]
  /// The time of the last use of each of `results`, as a number that grows.
  private var uses: [Key: Int] = [:]
  private var useCount = 0
  /// The wanted pictures that are missing.
  private var wanted: [(key: Key, image: RemoteImage)] = []
  /// The number of all wanted pictures.
  private var wantedCount = 0
  /// The number of pictures that are loaded at a time.
  private let parallelLoads: Int
  /// More would take memory and be no use: the pictures of a screen are few.
  private static let mostCores = 4
  private var workers: [Key: Task<Void, Never>] = [:]
  /// The picture last decoded for a rainbow, whose other phases use it too.
  private var underRainbow: (key: Key, decoded: DecodedPicture)?
  /// New thumbnails that are not in the cache yet, the oldest first.
  private var unkept: [(thumbnail: DecodedPicture, digest: ContentDigest, isWhole: Bool)] = []
  /// The number of new thumbnails that may wait, each with up to 1.2 MB.
  private static let mostUnkept = 16

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - output: the output for which pictures are prepared.
  ///   - thumbnails: the source of thumbnails; nil shows whole pictures.
  ///   - previews: keeps whole pictures that take long to decode.
  ///   - capacity: the number of cached pictures.
  ///   - log: receives why a picture cannot be shown.
  ///   - attachment: returns the bytes of a picture, of which thumbnails are made.
  init(
    output: any PictureOutput, thumbnails: ThumbnailCache? = nil, previews: PreviewCache? = nil,
    capacity: Int, log: Log = .off,
    attachment: @escaping PictureAttachment = { $0.dataRepresentation }
  ) {
    self.attachment = attachment
    self.output = output
    self.thumbnails = thumbnails
    self.previews = output.sendsOriginals ? nil : previews
    self.capacity = capacity
    self.log = log
    // One more than the cores: otherwise a core is idle while the main actor shows a picture.
    let cores = ProcessInfo.processInfo.activeProcessorCount
    parallelLoads = thumbnails == nil ? 1 : min(cores, Self.mostCores) + 1
  }

  /// Returns the current state of a picture, without starting to load it; observed.
  func picture(
    _ image: RemoteImage, size: CellSize, cell: PixelSize, rainbow: Rainbow? = nil
  ) -> Result {
    picture(Wanted(image: image, size: size, rainbow: rainbow), cell: cell)
  }

  /// The same, of a picture as it is wanted.
  func picture(_ wanted: Wanted, cell: PixelSize) -> Result {
    let key = key(of: wanted, cell)
    return results[key] ?? coarse[key].map { .ready($0) } ?? .underWay
  }

  /// Sets the pictures that are on the screen, in order of priority.
  ///
  /// Missing ones are loaded in this order, and the last ones are dropped first; loads of pictures
  /// that are no longer wanted are canceled.
  func want(_ images: [Wanted], cell: PixelSize) {
    let keys = images.map { key(of: $0, cell) }
    for key in keys.reversed() where results[key] != nil { touch(key) }
    wantedCount = keys.count
    wanted = zip(keys, images).compactMap { key, wanted in
      results[key] == nil && !wanted.size.isEmpty ? (key, wanted.image) : nil
    }
    if !keys.contains(where: { $0.rainbow != nil }) { underRainbow = nil }
    if !coarse.isEmpty { coarse = coarse.filter { kept in keys.contains(kept.key) } }
    for (key, task) in workers where !wanted.contains(where: { $0.key == key }) {
      task.cancel()
      workers[key] = nil
    }
    startNext()
  }

  private func key(of wanted: Wanted, _ cell: PixelSize) -> Key {
    Key(
      wanted.image.id, wanted.size, cell, rainbow: wanted.rainbow, isWhole: wanted.isWhole)
  }

  /// Whether the output shows fewer pixels than the screen has, so that a small picture is a blur.
  func isCoarse(_ cell: PixelSize) -> Bool { output.pixelsPerCell(cell) != cell }

  /// Notes that no picture is on the screen.
  func rest() { want([], cell: PixelSize(width: 1, height: 1)) }

  /// Forgets failures, since their cause may be gone; what is wanted again is loaded again.
  func retryFailed() {
    for case (let key, .failed) in results { (uses[key], results[key]) = (nil, nil) }
  }

  /// Whether every wanted picture has been loaded, or has failed.
  var isSettled: Bool { wanted.isEmpty }

  private func startNext() {
    while workers.count < parallelLoads,
      let (key, image) = wanted.first(where: { workers[$0.key] == nil })
    {
      start(key, image)
    }
    keepNew()
  }

  /// Writes new thumbnails to the cache once none is being made, or if many wait.
  ///
  /// Otherwise it would take processor time that the missing ones need.
  private func keepNew() {
    let surplus = workers.isEmpty ? unkept.count : unkept.count - Self.mostUnkept
    guard let thumbnails, surplus > 0 else { return }
    let kept = unkept.prefix(surplus)
    unkept.removeFirst(surplus)
    Task {
      for (thumbnail, digest, isWhole) in kept {
        await thumbnails.keep(thumbnail, of: digest, isWhole: isWhole)
      }
    }
  }

  private func start(_ key: Key, _ image: RemoteImage) {
    // Each of the thumbnails that are loaded at a time has its own, as one decodes one at a time.
    let decoder = thumbnails == nil ? decoder : PictureDecoder()
    workers[key] = Task { [output, thumbnails, previews, log, attachment] in
      let result: Result
      do {
        if let thumbnails {
          let picture = try await attachment(image)
          try Task.checkCancellation()
          let (thumbnail, isKept) = try await thumbnails.thumbnailToKeep(
            of: picture, isWhole: key.isWhole, covering: Self.target(key, output),
            decoder: decoder)
          try Task.checkCancellation()
          let prepared = await Self.prepared(thumbnail, key, output: output)
          record(thumbnail, of: image)
          if !isKept { unkept.append((thumbnail, picture.digest, key.isWhole)) }
          let (target, size) = (Self.target(key, output), ThumbnailCache.size)
          // The height is rounded to cells.
          if target.width <= size.width, target.height <= size.height * 9 / 8 {
            result = prepared
          } else {
            if case .ready(let coarse, _, _) = prepared, !Task.isCancelled {
              self.coarse[key] = coarse
            }
            let bytes = try await picture.data()
            result = await Self.prepared(
              try await Self.whole(
                bytes, key, isCropping: !key.isWhole, decoder: decoder, output: output),
              key, output: output)
          }
        } else if let known = underRainbow, key.rainbow != nil, known.key == key.withoutRainbow {
          result = await Self.prepared(known.decoded, key, output: output)
        } else if let kept = await previews?.preview(
          of: image.dataRepresentation, covering: Self.target(key, output), decoder: decoder)
        {
          if key.rainbow != nil { underRainbow = (key.withoutRainbow, kept) }
          result = await Self.prepared(kept, key, output: output)
        } else {
          try Task.checkCancellation()
          let bytes = try await image.dataRepresentation.data()
          if let sketch = try await Self.sketch(bytes, key, decoder: decoder, output: output),
            !Task.isCancelled
          {
            coarse[key] = sketch
          }
          let decoded = try await Self.whole(bytes, key, decoder: decoder, output: output)
          if key.rainbow != nil { underRainbow = (key.withoutRainbow, decoded) }
          record(decoded, of: image)
          if let previews, try PictureDecoder.header(of: bytes).format != .jpeg {
            // The screen does not wait for it.
            Task { await previews.keep(decoded, of: image.dataRepresentation) }
          }
          result = await Self.prepared(decoded, key, original: bytes, output: output)
        }
      } catch is CancellationError {
        return
      } catch {
        log.error(
          .pictures, "\(image.url.absoluteString) cannot be shown: \(technicalCause(of: error))")
        result = .failed(userMessage(for: error))
      }
      if key.rainbow == nil, case .ready(_, let isIncomplete, let isThumbnail) = result,
        isIncomplete || isThumbnail
      {
        let issue = isIncomplete ? "is incomplete" : "is too large: its thumbnail is shown"
        log.notice(.pictures, "\(image.url.absoluteString) \(issue)")
      }
      guard !Task.isCancelled else { return }
      finish(key, result)
    }
  }

  /// Logs why the colors of a picture may not be true.
  private func record(_ decoded: DecodedPicture, of image: RemoteImage) {
    guard let issue = decoded.colorIssue else { return }
    log.notice(.pictures, "\(image.url.absoluteString): \(issue)")
  }

  private func finish(_ key: Key, _ result: Result) {
    workers[key] = nil
    wanted.removeAll { $0.key == key }
    coarse[key] = nil
    results[key] = result
    touch(key)
    // A wanted picture that is dropped would be loaded again at once, and push out another one.
    let most = max(capacity, wantedCount)
    while uses.count > most, let oldest = uses.min(by: { $0.value < $1.value })?.key {
      (uses[oldest], results[oldest]) = (nil, nil)
    }
    startNext()
  }

  private func touch(_ key: Key) {
    useCount += 1
    uses[key] = useCount
  }

  /// Smaller JPEGs are decoded so fast that no coarse version is made.
  private nonisolated static let coarsePixels = 2_000_000

  /// Decodes a coarse version from an eighth of the pixels.
  ///
  /// For JPEG that is much faster. Nil if it would not be ready much sooner.
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
    return await PictureThreads.run {
      output.prepare(bitmap, encoded: nil, filling: key.size, cell: cell)
    }
  }

  @concurrent
  private static func whole(
    _ bytes: Data, _ key: Key, isCropping: Bool = false, decoder: PictureDecoder,
    output: any PictureOutput
  ) async throws -> DecodedPicture {
    try Task.checkCancellation()
    let target = target(key, output)
    let decoded = try await decoder.decode(bytes, covering: target)
    try Task.checkCancellation()
    guard isCropping else { return decoded }
    return DecodedPicture(
      bitmap: decoded.bitmap.cropped(toFill: target), originalSize: decoded.originalSize,
      isIncomplete: decoded.isIncomplete, colorIssue: decoded.colorIssue,
      isThumbnail: decoded.isThumbnail)
  }

  /// Prepares a whole picture.
  ///
  /// - Parameter original: the bytes that it was decoded from; nil for a preview.
  @concurrent
  private static func prepared(
    _ decoded: DecodedPicture, _ key: Key, original: Data? = nil, output: any PictureOutput
  ) async -> Result {
    let bitmap = key.rainbow?.over(decoded.bitmap) ?? decoded.bitmap
    let isOriginal = key.rainbow == nil && !decoded.isIncomplete && decoded.isAsStored
    let prepared = await PictureThreads.run {
      output.prepare(
        bitmap, encoded: isOriginal ? original : nil, filling: key.size, cell: key.pixels)
    }
    return .ready(
      prepared, isIncomplete: decoded.isIncomplete, isThumbnail: decoded.isThumbnail)
  }

  /// Returns the number of pixels that the output can show.
  private nonisolated static func target(_ key: Key, _ output: any PictureOutput) -> PixelSize {
    CellRect(key.size).pixels(cell: output.pixelsPerCell(key.pixels)).size
  }
}
