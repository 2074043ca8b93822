internal import Synchronization

/// Fetches the next picture ahead, so that asking for one feels instant.
///
/// After each picture it starts on the next. A picture ahead that fails is forgotten: the next
/// request tries anew, and its error is the one that is told.
public actor PrefetchingSource: ImageSource {
  /// The name of the source behind it.
  public nonisolated let name: String

  private let source: any ImageSource
  private var ahead: Task<FetchedImage, any Error>?
  /// Who hears of the progress of `ahead`: nobody until somebody waits for it.
  private var listener = Listener()

  /// Fetches ahead from `source`.
  public init(_ source: any ImageSource) {
    self.source = source
    name = source.name
  }

  /// Provides the picture fetched ahead, waits for the one under way, or starts one.
  ///
  /// Cancelling the task that waits cancels the request.
  public func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let current: Task<FetchedImage, any Error>
    if let ahead {
      listener.hear(progress)
      current = ahead
      self.ahead = nil
    } else {
      current = start(progress)
    }
    let image = try await withTaskCancellationHandler {
      try await current.value
    } onCancel: {
      current.cancel()
    }
    if ahead == nil { startAhead() }
    return image
  }

  private func startAhead() {
    let task = start(nil)
    ahead = task
    Task {
      // Nobody waited for it: whoever asks next tries anew.
      if case .failure = await task.result, ahead == task { ahead = nil }
    }
  }

  private func start(
    _ progress: (@Sendable (FetchProgress) -> Void)?
  ) -> Task<FetchedImage, any Error> {
    let listener = Listener()
    if let progress { listener.hear(progress) }
    self.listener = listener
    return Task { [source] in try await source.fetchImage { listener.tell($0) } }
  }

  /// Passes progress on to whoever waits, and remembers the last for one who comes later.
  private final class Listener: Sendable {
    private struct State {
      var hear: (@Sendable (FetchProgress) -> Void)?
      var last: FetchProgress?
    }

    private let state = Mutex(State())

    func hear(_ progress: @escaping @Sendable (FetchProgress) -> Void) {
      let last = state.withLock { state in
        state.hear = progress
        return state.last
      }
      if let last { progress(last) }
    }

    func tell(_ progress: FetchProgress) {
      let hear = state.withLock { state in
        state.last = progress
        return state.hear
      }
      hear?(progress)
    }
  }
}
