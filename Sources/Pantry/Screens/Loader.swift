/// Loads what a screen shows, and keeps its ``Phase``.
///
/// Whatever becomes of a load, the phase does not stay at loading: an error is in it, and a load
/// that is cancelled leaves it as it was before. Of loads that overlap the newest counts.
@MainActor
public final class Loader<Value> {
  private let gate = ObservationGate()
  private let isEmpty: (Value) -> Bool
  private var current: Phase<Value>
  /// As it was before the loads that are under way.
  private var settled: Phase<Value>
  /// Later ones are larger.
  private var running: Set<Int> = []
  private var lastLoad = 0
  private var lastSettled = 0

  /// Creates a loader, with what is there already if there is something.
  ///
  /// - Parameters:
  ///   - value: what is there already, or nil.
  ///   - isEmpty: whether a value is ``Phase/empty``; of a collection, by default, if it has no
  ///     elements.
  public init(_ value: Value? = nil, isEmpty: @escaping (Value) -> Bool = { _ in false }) {
    self.isEmpty = isEmpty
    settled = value.map { isEmpty($0) ? .empty : .loaded($0) } ?? .initial
    current = settled
  }

  /// Where the loading is; observed.
  public var phase: Phase<Value> {
    gate.access()
    return current
  }

  /// Runs `body` and takes what it returns, or its error, into ``phase``; nil is that there is
  /// nothing.
  ///
  /// If a newer load is under way when it ends, or has ended, its end changes nothing. It is
  /// cancelled by its task.
  public func load(_ body: @MainActor () async throws -> Value?) async {
    lastLoad += 1
    let load = lastLoad
    running.insert(load)
    show(settled.starting())
    do {
      let value = try await body().flatMap { isEmpty($0) ? nil : $0 }
      end(load, settled.succeeding(with: value))
    } catch  where error is CancellationError || Task.isCancelled {
      end(load, nil)
    } catch {
      end(load, settled.failing(with: error))
    }
  }

  /// Ends a load; with nil it has no result.
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

extension Loader where Value: Collection {
  /// Creates a loader, with what is there already; a value without elements is ``Phase/empty``.
  public convenience init(_ value: Value? = nil) {
    self.init(value) { $0.isEmpty }
  }
}
