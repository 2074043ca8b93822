internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs

enum PictureOrigin: Sendable {
  /// A file; one of a directory need not be a picture.
  case file(LocalPicture, inDirectory: Bool)
  /// The bytes of standard input.
  case input(Data)
  case web(URL, @MainActor @Sendable () -> HTTPClient)
  /// One that was on a card, or that `panda fetch` named.
  case shown(RemoteImage)

  var name: String {
    switch self {
    case .file(let picture, _): picture.name
    case .input: LocalPicture.inputName
    case .web(let url, _): url.absoluteString
    case .shown(let image): image.id
    }
  }
}

extension PictureOrigin {
  /// The bytes of its file, as far as they are known before it is read.
  fileprivate var byteCount: Int {
    switch self {
    case .file(let picture, _): picture.byteCount
    case .input(let data): data.count
    case .web: 4_000_000
    case .shown: 0
    }
  }

  /// Returns whether a failure needs no word: a directory also holds other files.
  func mayHold(_ error: any Error) -> Bool {
    guard case .file(_, inDirectory: true) = self, let error = error as? PictureError else {
      return false
    }
    if case .notAPicture = error.kind { return true }
    return false
  }
}

/// Reads pictures to add, several at a time, and looks whether they are whole.
///
/// Looking at one decodes it; the thumbnail that the carousel needs is kept from that. While one
/// part is saved, the next is being read.
@MainActor
final class PictureIntake {
  /// The number of pictures that are saved in one commit.
  static let width = 16
  /// The bytes of files that are in memory, beside those of a single larger one.
  static let bytes = 64_000_000

  typealias Reading = (origin: PictureOrigin, result: Result<RemoteImage, any Error>)

  private struct ReadingTask {
    let origin: PictureOrigin
    let bytes: Int
    let task: Task<RemoteImage, any Error>
  }

  private let thumbnails: ThumbnailCache
  private let now: @Sendable () -> Date
  private var client: HTTPClient?
  private var waiting: ArraySlice<PictureOrigin>
  private var reading: [ReadingTask] = []
  /// The bytes of the files that are being read, or that the caller has.
  private var held = 0
  private var taken = 0

  init(
    _ origins: [PictureOrigin], thumbnails: ThumbnailCache, now: @escaping @Sendable () -> Date
  ) {
    waiting = origins[...]
    self.thumbnails = thumbnails
    self.now = now
  }

  /// Returns the next pictures to save, in their order; none at the end.
  ///
  /// The memory of the former ones counts as free.
  func next() async -> [Reading] {
    held -= taken
    taken = 0
    var part: [Reading] = []
    repeat {
      startReading()
      guard !reading.isEmpty else { break }
      let next = reading.removeFirst()
      part.append((next.origin, await next.task.result))
      taken += next.bytes
    } while part.count < Self.width && taken < Self.bytes / 2
    startReading()
    return part
  }

  func close() async { await client?.close() }

  private func startReading() {
    while let origin = waiting.first, reading.count < Self.width {
      let bytes = origin.byteCount
      guard held == 0 || held + bytes <= Self.bytes else { return }
      waiting.removeFirst()
      held += bytes
      let client = client(for: origin)
      reading.append(
        ReadingTask(
          origin: origin, bytes: bytes,
          task: Task { [thumbnails, now] in
            try await Self.read(origin, client, thumbnails, now())
          }))
    }
  }

  private func client(for origin: PictureOrigin) -> HTTPClient? {
    guard case .web(_, let make) = origin else { return nil }
    if client == nil { client = make() }
    return client
  }

  @concurrent
  private static func read(
    _ origin: PictureOrigin, _ client: HTTPClient?, _ thumbnails: ThumbnailCache,
    _ date: Date
  ) async throws -> RemoteImage {
    let fetched: FetchedImage
    switch origin {
    case .shown(let image):
      if await PictureLook.look(at: image.dataRepresentation, with: PictureDecoder()).isDamaged {
        throw PictureError(.incomplete)
      }
      return image
    case .file(let picture, _): fetched = try picture.read(takingNotes: true)
    case .input(let data): fetched = try LocalPicture.read(input: data)
    case .web(let url, _):
      guard let client else { throw CancellationError() }
      fetched = try await WebPicture(url).fetch(client)
    }
    let image = try fetched.image(at: date)
    let decoded = try await thumbnails.thumbnail(
      of: image.dataRepresentation, isWhole: ThumbnailCache.isWhole(image.size),
      decoder: PictureDecoder())
    if decoded.isIncomplete { throw PictureError(.incomplete) }
    return image
  }
}
