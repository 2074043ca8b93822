internal import CCurl
internal import Glibc
internal import SystemSupport

/// Owns the thread that runs a client's transfers, and the mailbox for commands to it.
///
/// The thread starts with the first request, sleeps in curl_multi_poll, and ends with `stop()`. It
/// retains the mailbox but not the client, so that releasing the client ends it.
final class CurlThread: Sendable {
  private enum Command {
    case start(TransferPlan, TransferTicket)
    case drop(TransferTicket)
  }

  private enum Phase {
    case notStarted, running, stopping, stopped
  }

  private struct State {
    var phase = Phase.notStarted
    var commands: [Command] = []
    /// Cleared before the loop is freed.
    var waker: CurlLoop.Waker?
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Performs one hop.
  ///
  /// - Throws: `HTTPError`, or `CancellationError` as soon as the task is canceled.
  func perform(_ plan: TransferPlan) async throws -> TransferReport {
    let ticket = TransferTicket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        ticket.wait(with: continuation)
        do throws(HTTPError) {
          try post(.start(plan, ticket))
        } catch {
          ticket.fail(with: error)
        }
      }
    } onCancel: {
      // First the task, then the transfer: libcurl may be slow to let go.
      ticket.fail(with: CancellationError())
      // If the thread cannot be woken, it notices the resolved ticket when bytes arrive.
      try? post(.drop(ticket))
    }
  }

  /// Asks the thread to end, without waiting.
  ///
  /// Transfers in flight fail with `.closed`.
  func stop() {
    state.withLock { state in
      switch state.phase {
      case .notStarted: state.phase = .stopped
      case .running:
        state.phase = .stopping
        // Without a wake-up pipe the thread ends at the next event of a transfer instead.
        try? state.waker?.wake()
      case .stopping, .stopped: break
      }
    }
  }

  /// Waits until the thread has freed everything.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.phase == .running || state.phase == .stopping else { return true }
        state.waitingForEnd.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  private func post(_ command: Command) throws(HTTPError) {
    try state.withLock { state throws(HTTPError) in
      switch (state.phase, command) {
      case (.stopping, _), (.stopped, .start):
        if case .drop = command { return }
        throw HTTPError(.closed, host: "", detail: "the client was closed")
      case (.notStarted, .drop), (.stopped, .drop): return
      case (.notStarted, .start):
        try launch()
        state.phase = .running
        state.commands.append(command)
      case (.running, _):
        state.commands.append(command)
        // Before the loop exists there is nothing to wake: it reads the mailbox first.
        try state.waker?.wake()
      }
    }
  }

  // MARK: - The thread

  private func launch() throws(HTTPError) {
    // Signals are for the main program. SIGPIPE, which OpenSSL may raise, stays pending here.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    let mailbox = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<CurlThread>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, mailbox.toOpaque())
    guard result == 0 else {
      mailbox.release()
      throw HTTPError(.system, host: "", detail: "pthread_create failed with errno \(result)")
    }
    pthread_detach(thread)
  }

  private func run() {
    // The name is only a convenience: the call fails only for an invalid pointer.
    _ = panda_curl_name_thread("panda-http")
    var failure = HTTPError(.closed, host: "", detail: "the client was closed")
    do throws(HTTPError) {
      let loop = try CurlLoop()
      defer {
        // From here on no thread can wake a handle that is about to be freed.
        state.withLock { $0.waker = nil }
        loop.failAll(with: failure)
      }
      state.withLock { [waker = loop.waker] in $0.waker = waker }
      do throws(HTTPError) {
        while let commands = takeCommands() {
          for command in commands {
            switch command {
            case .start(let plan, let ticket): loop.start(plan, for: ticket)
            case .drop(let ticket): loop.drop(ticket)
            }
          }
          try loop.advance()
          try loop.sleep()
        }
      } catch {
        failure = error
        throw error
      }
    } catch {
      failure = error
    }
    end(with: failure)
  }

  /// Returns the commands since the last call, or `nil` if the thread is to end.
  private func takeCommands() -> [Command]? {
    state.withLock { state in
      guard state.phase == .running else { return nil }
      let commands = state.commands
      state.commands = []
      return commands
    }
  }

  /// Fails requests that never started.
  ///
  /// After an error of the multi handle the next request starts a new thread with a new handle.
  private func end(with error: HTTPError) {
    let (commands, waiting) = state.withLock { state in
      let left = (state.commands, state.waitingForEnd)
      state.commands = []
      state.waitingForEnd = []
      state.phase = state.phase == .stopping ? .stopped : .notStarted
      return left
    }
    for case .start(_, let ticket) in commands { ticket.fail(with: error) }
    for continuation in waiting { continuation.resume() }
  }
}
