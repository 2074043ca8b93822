internal import FoundationEssentials
internal import SystemSupport

/// The memory and the cores that all decoders of this process share.
///
/// At most one picture per core is decoded at a time, and only as many as fit into the memory; one
/// that does not fit is decoded alone. Those that wait are served in the order in which they came.
package final class DecodingBudget: Sendable {
  /// The budget of the program.
  ///
  /// Two progressive JPEGs of 33 megapixels fit into it, which take 100 MB each.
  package static let shared = DecodingBudget(
    decoders: ProcessInfo.processInfo.activeProcessorCount, bytes: 224_000_000)

  private struct Waiting {
    let id: UInt64
    let bytes: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var running = 0
    var bytes = 0
    var waiting: [Waiting] = []
    var nextID: UInt64 = 0
  }

  private let decoders: Int
  private let bytes: Int
  private let state = Lock(State())

  /// Creates a budget of its own.
  ///
  /// - Parameters:
  ///   - decoders: the most pictures that are decoded at a time.
  ///   - bytes: the memory that they take together.
  package init(decoders: Int, bytes: Int) {
    self.decoders = decoders
    self.bytes = bytes
  }

  /// The number of pictures that wait to be decoded.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits until so many bytes may be taken; call ``end(_:)`` for each return.
  ///
  /// - Throws: `CancellationError`.
  func begin(_ bytes: Int) async throws {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          // Cancellation comes before the lock, or finds it among those that wait.
          if Task.isCancelled { return true }
          state.waiting.append(Waiting(id: id, bytes: bytes, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { serve() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
      }
      waiting?.continuation.resume(throwing: CancellationError())
      // It may have been the one that the others wait for.
      serve()
    }
  }

  func end(_ bytes: Int) {
    state.withLock { state in
      state.running -= 1
      state.bytes -= bytes
    }
    serve()
  }

  private func serve() {
    let served = state.withLock { state in
      var served: [Waiting] = []
      while let next = state.waiting.first,
        state.running == 0 || state.running < decoders && state.bytes + next.bytes <= bytes
      {
        state.running += 1
        state.bytes += next.bytes
        served.append(state.waiting.removeFirst())
      }
      return served
    }
    for waiting in served { waiting.continuation.resume() }
  }
}
