public import FoundationEssentials
public import Observation
public import Pantry

/// Fetches pictures and keeps favourites: the controller of Model, View, Controller, Store.
///
/// Each view owns one of its own. They agree because they share the Store: what one saves, the
/// others' ``images`` show.
@MainActor
@Observable
public final class ImagesController {
  /// The favourites in the order in which they were saved; observed like the items of the Store.
  @ObservationIgnored @Stored public var images: [RemoteImage]

  private let source: any ImageSource
  private let standIn: (any ImageSource)?
  private let now: @Sendable () -> Date

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - store: the favourites.
  ///   - source: where pictures come from.
  ///   - standIn: where one comes from while `source` lets wait, or has none.
  ///   - now: tells the time that a picture's `createdAt` holds.
  public init(
    store: Store<RemoteImage> = .imagesStore, source: any ImageSource,
    standIn: (any ImageSource)? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    _images = Stored(in: store)
    self.source = source
    self.standIn = standIn
    self.now = now
  }

  /// Whether the favourites have been read from disk; observed like ``images``.
  public var imagesHaveLoaded: Bool { $images.hasLoaded }

  /// What the person reads of where pictures come from.
  public var sourceName: String { source.name }

  /// What the person reads of the stand-in, if there is one.
  public var standInName: String? { standIn?.name }

  /// Tells whether the picture with this address is a favourite.
  ///
  /// - Complexity: O(n).
  public func isSaved(_ image: RemoteImage) -> Bool {
    images.contains { $0.url == image.url }
  }

  /// Fetches the next picture.
  ///
  /// It is not saved.
  ///
  /// - Parameter progress: called on any thread while the picture arrives.
  /// - Throws: the source's error, ``PictureError`` if what came is no picture that can be shown,
  /// `CancellationError` at once when the task is cancelled.
  public func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws -> RemoteImage {
    try await Self.fetch(from: source, at: now, progress: progress)
  }

  /// Provides a picture from the stand-in, or nil if there is none.
  public func fetchStandIn() async throws -> RemoteImage? {
    guard let standIn else { return nil }
    return try await Self.fetch(from: standIn, at: now) { _ in }
  }

  /// Makes a picture a favourite: its row and its bytes are on disk when this returns.
  public func saveImage(image: RemoteImage) async throws {
    try await $images.add(image)
  }

  /// Removes a favourite; its bytes stay readable for as long as `image` is held.
  public func removeImage(image: RemoteImage) async throws {
    try await $images.remove(image)
  }

  /// Removes all favourites.
  public func clearAllImages() async throws {
    try await $images.removeAll()
  }

  @concurrent
  private static func fetch(
    from source: any ImageSource, at now: @Sendable () -> Date,
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> RemoteImage {
    let fetched = try await source.fetchImage(progress: progress)
    // The picture's own header is believed, not what the source says of it.
    let header = try PictureDecoder.header(of: fetched.data)
    return RemoteImage(
      createdAt: now(), url: fetched.url, width: header.size.width, height: header.size.height,
      dataRepresentation: Attachment(fetched.data), source: fetched.source, title: fetched.title,
      credit: fetched.credit, licence: fetched.licence)
  }
}
