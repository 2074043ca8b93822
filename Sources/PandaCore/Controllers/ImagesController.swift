internal import FoundationEssentials
internal import Observation
package import Pantry

/// Fetches pictures and manages favorites: the controller of Model, View, Controller, Store.
///
/// Each view owns one. They agree because they share the Store: a picture that one of them saves is
/// in the ``images`` of the others.
@MainActor
@Observable
package final class ImagesController {
  /// The favorites, in the order in which they were saved.
  ///
  /// Observed like the items of the Store.
  @ObservationIgnored @Stored package var images: [RemoteImage]

  /// The stores around the favorites: trash, history and seen pictures.
  @ObservationIgnored package let library: ImageLibrary

  private let source: any ImageSource
  private let fallback: (any ImageSource)?

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - library: the favorites and the stores around them.
  ///   - source: provides the pictures.
  ///   - fallback: provides a picture while `source` is slow or has none.
  package init(
    library: ImageLibrary = .standard, source: any ImageSource, fallback: (any ImageSource)? = nil
  ) {
    _images = Stored(in: library.favorites)
    self.library = library
    self.source = source
    self.fallback = fallback
  }

  /// Whether the favorites have been read from disk; observed like ``images``.
  package var imagesHaveLoaded: Bool { $images.hasLoaded }

  /// The newest favorites and the total count while ``images`` load, then nil; observed.
  package var imagesExcerpt: StoreExcerpt<RemoteImage>? { $images.excerpt }

  package var sourceName: String { source.name }

  /// The name of the fallback for the user, if there is one.
  package var fallbackName: String? { fallback?.name }

  /// Returns whether the picture with this address is a favorite.
  ///
  /// As far as ``images`` or ``imagesExcerpt`` are known.
  package func isSaved(_ image: RemoteImage) -> Bool { saved(image) != nil }

  /// Returns the favorite with this picture's address, with its current caption and tags.
  package func saved(_ image: RemoteImage) -> RemoteImage? {
    $images[image.id] ?? imagesExcerpt?.items.first { $0.id == image.id }
  }

  /// Waits until the favorites have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func imagesHaveBeenRead() async throws { try await $images.itemsHaveLoaded() }

  /// Waits until the newest favorites have been read.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func excerptHasBeenRead() async throws { try await $images.excerptHasLoaded() }

  // MARK: Fetching

  /// The maximum number of consecutive hidden pictures to skip.
  private static let hiddenInARow = 5

  /// Fetches the next picture that is not hidden.
  ///
  /// It is not saved.
  ///
  /// - Parameter progress: called on any thread while the picture arrives.
  /// - Throws: the source's error, ``PictureError`` if the data is not a picture that can be shown,
  ///   `CancellationError` at once when the task is canceled.
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws -> RemoteImage {
    for _ in 1...Self.hiddenInARow {
      var image: RemoteImage
      do {
        image = try await Self.fetch(from: source, at: library.now, progress: progress)
      } catch {
        let isOffline = (error as? HTTPError)?.isOffline == true
        if !isOffline, !(error is CancellationError) { note(failure: "\(error)") }
        throw error
      }
      note(failure: nil)
      if image.url.isFileURL {
        await library.knownPicturesHaveLoaded()
        image = library.recognized(image)
      }
      // If the list of hidden pictures cannot be read, showing one panda too many is better than
      // none.
      guard await library.canBeRead(),
        (try? await library.isHidden(image)) == true  // unreadable: shown
      else { return image }
    }
    throw ImageSourceError(.onlyHidden, host: source.name)
  }

  /// Records the source's answer; the picture does not wait for that.
  private func note(failure: String?) {
    guard !source.notesOwnAnswers else { return }
    Task {
      // An answer that is not recorded is recorded with the next one; the picture matters more.
      try? await library.sources.recordAnswer(of: source, failure: failure)
    }
  }

  /// Provides a picture from the fallback, or nil if there is none.
  package func fetchFallback() async throws -> RemoteImage? {
    guard let fallback else { return nil }
    return try await Self.fetch(from: fallback, at: library.now) { _ in }
  }

  /// Provides a coarse version of the fallback's next picture, to be shown until that is there.
  ///
  /// Nil if there is none that is ready much sooner.
  package func sketchFallback() async throws -> RemoteImage? {
    guard let sketch = try await fallback?.sketchNext() else { return nil }
    return try await Self.image(of: sketch, at: library.now)
  }

  // MARK: Favorites

  /// Makes a picture a favorite.
  ///
  /// Its row and its bytes are on disk when this returns.
  ///
  /// - Returns: whether it was not yet a favorite.
  @discardableResult
  package func saveImage(image: RemoteImage) async throws -> Bool {
    try await !library.save([image]).isEmpty
  }

  /// Removes a favorite: it goes into the trash.
  ///
  /// - Returns: whether it was a favorite.
  @discardableResult
  package func removeImage(image: RemoteImage) async throws -> Bool {
    try await library.remove([image]) > 0
  }

  /// Removes all favorites: they go into the trash.
  ///
  /// - Returns: how many there were.
  @discardableResult
  package func clearAllImages() async throws -> Int {
    // This includes favorites that are still being read.
    try await $images.itemsHaveLoaded()
    return try await library.remove(images, isAll: true)
  }

  @concurrent
  private static func fetch(
    from source: any ImageSource, at now: @Sendable () -> Date,
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> RemoteImage {
    try await image(of: source.fetchImage(progress: progress), at: now)
  }

  @concurrent
  private static func image(
    of fetched: FetchedImage, at now: @Sendable () -> Date
  ) async throws -> RemoteImage {
    try await fetched.tried().image(at: now())
  }
}
