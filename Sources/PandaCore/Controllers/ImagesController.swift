internal import FoundationEssentials
internal import Observation
package import Pantry
internal import PictureCodecs

/// Fetches pictures and keeps favourites: the controller of Model, View, Controller, Store.
///
/// Each view owns one of its own. They agree because they share the Store: what one saves, the
/// others' ``images`` show.
@MainActor
@Observable
package final class ImagesController {
  /// The favourites in the order in which they were saved; observed like the items of the Store.
  @ObservationIgnored @Stored package var images: [RemoteImage]

  /// The stores around the favorites: trash, history, what was seen.
  @ObservationIgnored let library: ImageLibrary

  private let source: any ImageSource
  private let fallback: (any ImageSource)?

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - library: the favorites and the stores around them.
  ///   - source: where pictures come from.
  ///   - fallback: where one comes from while `source` lets wait, or has none.
  package init(
    library: ImageLibrary = .standard, source: any ImageSource, fallback: (any ImageSource)? = nil
  ) {
    _images = Stored(in: library.favorites)
    self.library = library
    self.source = source
    self.fallback = fallback
  }

  /// Whether the favourites have been read from disk; observed like ``images``.
  package var imagesHaveLoaded: Bool { $images.hasLoaded }

  /// The newest favourites and the count of all while ``images`` load, then nil; observed.
  package var imagesExcerpt: StoreExcerpt<RemoteImage>? { $images.excerpt }

  /// What the person reads of where pictures come from.
  package var sourceName: String { source.name }

  /// What the person reads of the fallback, if there is one.
  package var fallbackName: String? { fallback?.name }

  /// Tells whether the picture with this address is a favourite, as far as ``images`` or
  /// ``imagesExcerpt`` know.
  package func isSaved(_ image: RemoteImage) -> Bool { saved(image) != nil }

  /// The favorite with this picture's address, with its caption and tags as they are now.
  package func saved(_ image: RemoteImage) -> RemoteImage? {
    $images[image.id] ?? imagesExcerpt?.items.first { $0.id == image.id }
  }

  // MARK: Fetching

  /// How many pictures in a row may be ones that the person never wants to see again.
  private static let hiddenInARow = 5

  /// Fetches the next picture that is not hidden.
  ///
  /// It is not saved.
  ///
  /// - Parameter progress: called on any thread while the picture arrives.
  /// - Throws: the source's error, ``PictureError`` if what came is no picture that can be shown,
  /// `CancellationError` at once when the task is cancelled.
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws -> RemoteImage {
    for _ in 1...Self.hiddenInARow {
      let image: RemoteImage
      do {
        image = try await Self.fetch(from: source, at: library.now, progress: progress)
      } catch {
        if !(error is CancellationError) { note(failure: "\(error)") }
        throw error
      }
      note(failure: nil)
      // Without the list of what is hidden a panda too many is better than none.
      if (try? await library.isHidden(image)) != true { return image }  // see above
    }
    throw ImageSourceError(.onlyHidden, host: source.name)
  }

  /// Notes how the source has answered; the picture does not wait for it.
  private func note(failure: String?) {
    guard !source.notesOwnAnswers else { return }
    Task {
      // What is not noted is noted with the next answer; the picture is worth more.
      try? await library.noteAnswer(of: source, failure: failure)  // see above
    }
  }

  /// Provides a picture from the fallback, or nil if there is none.
  package func fetchFallback() async throws -> RemoteImage? {
    guard let fallback else { return nil }
    return try await Self.fetch(from: fallback, at: library.now) { _ in }
  }

  // MARK: Favorites

  /// Makes a picture a favourite: its row and its bytes are on disk when this returns.
  ///
  /// - Returns: whether it was not a favourite already.
  @discardableResult
  package func saveImage(image: RemoteImage) async throws -> Bool {
    try await library.save(image)
  }

  /// Removes a favourite: it goes into the trash.
  ///
  /// - Returns: whether it was a favourite.
  @discardableResult
  package func removeImage(image: RemoteImage) async throws -> Bool {
    try await library.remove([image]) > 0
  }

  /// Removes all favourites: they go into the trash.
  ///
  /// - Returns: how many there were.
  @discardableResult
  package func clearAllImages() async throws -> Int {
    // Those that are still being read are meant too.
    try await $images.itemsHaveLoaded()
    return try await library.remove(images, isAll: true)
  }

  @concurrent
  private static func fetch(
    from source: any ImageSource, at now: @Sendable () -> Date,
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> RemoteImage {
    let fetched = try await source.fetchImage(progress: progress)
    // The picture's own header is believed, not what the source says of it.
    let header = try PictureDecoder.header(of: fetched.data)
    let bytes = Attachment(fetched.data)
    // Hashed here: whoever asks for the digest on the main actor has it for nothing.
    _ = bytes.digest
    return RemoteImage(
      createdAt: now(), url: fetched.url, width: header.size.width, height: header.size.height,
      dataRepresentation: bytes, source: fetched.source, title: fetched.title,
      credit: fetched.credit, license: fetched.license, page: fetched.page)
  }
}
