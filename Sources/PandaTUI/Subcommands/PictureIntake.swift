internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// The origin of a picture to add.
enum PictureOrigin: Sendable {
  /// A file; one of a directory need not be a picture.
  case file(LocalPicture, inDirectory: Bool)
  case web(URL, @MainActor @Sendable () -> HTTPClient)
  /// One that was on a card, or that `panda fetch` named.
  case shown(RemoteImage)

  var name: String {
    switch self {
    case .file(let picture, _): picture.name
    case .web(let url, _): url.absoluteString
    case .shown(let image): image.id
    }
  }
}

extension PictureOrigin {
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
/// Looking at one decodes it; the thumbnail that the carousel needs is kept from that.
@MainActor
final class PictureIntake {
  /// The number of pictures that are saved in one commit, and held in memory.
  static let width = 16

  private let thumbnails: ThumbnailCache
  private let now: @Sendable () -> Date
  private var client: HTTPClient?

  init(thumbnails: ThumbnailCache, now: @escaping @Sendable () -> Date) {
    self.thumbnails = thumbnails
    self.now = now
  }

  /// Reads pictures, in their order.
  func read(_ origins: [PictureOrigin]) async -> [Result<RemoteImage, any Error>] {
    var tasks: [Task<RemoteImage, any Error>] = []
    for origin in origins {
      let client = client(for: origin)
      tasks.append(
        Task { [thumbnails, now] in try await Self.read(origin, client, thumbnails, now()) })
    }
    var results: [Result<RemoteImage, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  /// Ends the connections.
  func close() async { await client?.close() }

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
    case .file(let picture, _): fetched = try picture.read()
    case .web(let url, _):
      guard let client else { throw CancellationError() }
      fetched = try await WebPicture(url).fetch(client)
    }
    let header = try PictureDecoder.header(of: fetched.data)
    let bytes = Attachment(fetched.data)
    let decoded = try await thumbnails.thumbnail(of: bytes, decoder: PictureDecoder())
    if decoded.isIncomplete { throw PictureError(.incomplete) }
    return RemoteImage(
      createdAt: date, url: fetched.url, width: header.size.width, height: header.size.height,
      dataRepresentation: bytes, source: fetched.source, title: fetched.title,
      credit: fetched.credit, license: fetched.license, page: fetched.page)
  }
}
