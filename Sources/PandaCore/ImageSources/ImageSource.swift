package import FoundationEssentials

/// Provides pictures of red pandas, one at a time.
///
/// A source can be a service, a folder or a drawing machine. It checks what it must to find the
/// picture; whether the bytes are a picture that Panda can show is decided by who asked for it.
package protocol ImageSource: Sendable {
  /// What the person reads and types, such as `redpanda.club`.
  var name: String { get }

  /// Where a person reads about it, if there is such a page.
  var homePage: URL? { get }

  /// Under which licence its pictures are, where they do not say so themselves.
  var licence: String? { get }

  /// Whether it notes by itself how it answers, because it asks others.
  var notesOwnAnswers: Bool { get }

  /// Provides the next picture.
  ///
  /// - Parameter progress: called on any thread while the picture arrives; not called for what
  ///   comes before it, and not at all by sources that need no time. It must be quick.
  /// - Throws: `CancellationError` at once when the task is cancelled; `HTTPError` for what went
  ///   wrong on the way; `ImageSourceError` for an answer that is no use.
  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage
}

extension ImageSource {
  package var homePage: URL? { nil }
  package var licence: String? { nil }
  package var notesOwnAnswers: Bool { false }
}
