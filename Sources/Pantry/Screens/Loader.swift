/// Loads the content of a screen, and keeps its ``Phase``.
///
/// However a load ends, the phase does not stay at loading: an error becomes the phase, and a
/// canceled load restores the previous one. If loads overlap, the newest counts.
///
/// It lives on the main actor; reading the phase is O(1).
@MainActor
public final class Loader<Value> {
  private let gate = ObservationGate()
  private let isEmpty: (Value) -> Bool
  private var current: Phase<Value>
  /// The phase before the running loads.
  private var settled: Phase<Value>
  /// The numbers of the running loads; later ones are larger.
  private var running: Set<Int> = []
  private var lastLoad = 0
  private var lastSettled = 0

  /// Creates a loader, optionally with an existing value.
  ///
  /// - Parameters:
  ///   - value: the existing value, or nil.
  ///   - isEmpty: whether a value counts as ``Phase/empty``; by default a collection without
  ///     elements.
  public init(
    _ value: Value? = nil,
    isEmpty: @escaping (Value) -> Bool = { ($0 as? any Collection)?.isEmpty == true }
  ) {
    self.isEmpty = isEmpty
    settled = value.map { isEmpty($0) ? .empty : .loaded($0) } ?? .initial
    current = settled
  }

  /// The phase of loading; observed.
  public var phase: Phase<Value> {
    gate.access()
    return current
  }

  /// Runs `body`, and puts its result or its error into ``phase``; nil means empty.
  ///
  /// If a newer load is running or has ended, the result is ignored. Cancel the task to cancel the
  /// load.
  public func load(_ body: @MainActor () async throws -> Value?) async {
    lastLoad += 1
    let load = lastLoad
    running.insert(load)
    show(settled.starting())
    do {
      let value = try await body().flatMap { isEmpty($0) ? nil : $0 }
      end(load, settled.succeeding(with: value))
    } catch let error where error is CancellationError || Task.isCancelled {
      end(load, nil)
    } catch {
      end(load, settled.failing(with: error))
    }
  }

  /// Ends a load; nil for a load without a result.
  private func end(_ load: Int, _ result: Phase<Value>?) {
    running.remove(load)
    let isNewest = load > lastSettled && running.allSatisfy { $0 < load }
    if let result, isNewest {
      lastSettled = load
      settled = result
      show(result)
    } else if !running.contains(where: { $0 > lastSettled }), current.isLoading {
      show(settled)
    }
  }

  private func show(_ phase: Phase<Value>) {
    gate.withMutation { current = phase }
  }
}
