internal import SystemSupport

/// Connects a waiting task and the client's thread, and is resolved exactly once.
///
/// The first one to resolve it wins: the thread with a result, or a cancellation, which then need
/// not wait for libcurl.
final class TransferTicket: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<TransferReport, any Error>)
    case resolved(any Error)
    case delivered
  }

  private let state = Lock<State>(.new)

  /// Whether no task is waiting any more.
  var isResolved: Bool {
    state.withLock {
      switch $0 {
      case .new, .waiting: false
      case .resolved, .delivered: true
      }
    }
  }

  /// Suspends the task until the ticket is resolved; resumes it at once if it already is.
  func wait(with continuation: CheckedContinuation<TransferReport, any Error>) {
    let early: (any Error)? = state.withLock {
      switch $0 {
      case .resolved(let error):
        $0 = .delivered
        return error
      case .new, .waiting, .delivered:
        $0 = .waiting(continuation)
        return nil
      }
    }
    if let early { continuation.resume(throwing: early) }
  }

  /// Resumes the task with a report.
  ///
  /// Does nothing if the ticket is already resolved.
  func succeed(with report: TransferReport) {
    takeContinuation(else: CancellationError())?.resume(returning: report)
  }

  /// Resumes the task with an error.
  ///
  /// Does nothing if the ticket is already resolved.
  func fail(with error: any Error) {
    takeContinuation(else: error)?.resume(throwing: error)
  }

  private func takeContinuation(
    else error: any Error
  ) -> CheckedContinuation<TransferReport, any Error>? {
    state.withLock {
      switch $0 {
      case .waiting(let continuation):
        $0 = .delivered
        return continuation
      case .new:
        $0 = .resolved(error)
        return nil
      case .resolved, .delivered:
        return nil
      }
    }
  }
}
