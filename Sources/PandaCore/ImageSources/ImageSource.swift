package import FoundationEssentials

/// Provides pictures of red pandas, one at a time.
///
/// A source can be a service, a folder or a generator of drawings. It checks only what it needs to
/// find the picture; the caller decides whether Panda can show the bytes.
package protocol ImageSource: Sendable {
  /// The name that the user reads and types, such as `redpanda.club`.
  var name: String { get }

  /// The web page about the source, if there is one.
  var homePage: URL? { get }

  /// The license of its pictures, if they do not have their own.
  var license: String? { get }

  /// The host that it asks, which may ask to be left alone; nil if it asks none.
  var host: String? { get }

  /// Whether it records its own answers, because it asks other sources.
  var notesOwnAnswers: Bool { get }

  /// Provides the next picture.
  ///
  /// - Parameter progress: called on any thread while the picture arrives; not called for earlier
  ///   requests, and not at all by sources that take no time. It must be quick.
  /// - Throws: `CancellationError` immediately if the task is canceled; `HTTPError` for a network
  ///   failure; `ImageSourceError` for an unusable answer.
  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage

  /// Provides a coarse version of the next picture, if that takes a moment only.
  ///
  /// The card shows it until the picture is ready. It cannot become a favorite.
  func sketchNext() async throws -> FetchedImage?
}

extension ImageSource {
  package var homePage: URL? { nil }
  package var license: String? { nil }
  package var host: String? { nil }
  package var notesOwnAnswers: Bool { false }
  package func sketchNext() async throws -> FetchedImage? { nil }
}
