/// The loading state of a screen's content, with the previous content to show meanwhile.
///
/// A value; all members are O(1).
public enum Phase<Value> {
  /// No load has begun.
  case initial
  /// Loading is in progress; `previous` is the earlier value.
  case loading(previous: Value?)
  /// Loading succeeded, without content.
  case empty
  /// Loading succeeded.
  case loaded(Value)
  /// Loading failed; `previous` is the earlier value.
  case failed(any Error, previous: Value?)

  /// The value to show: the current or the previous one.
  public var value: Value? {
    switch self {
    case .initial, .empty: nil
    case .loaded(let value): value
    case .loading(let previous), .failed(_, let previous): previous
    }
  }

  /// Whether loading is in progress.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// The error of a failed load.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { return error }
    return nil
  }

  // MARK: What comes next

  /// Returns the phase when a load begins.
  func starting() -> Phase { .loading(previous: value) }

  /// Returns the phase when a load succeeds; nil means empty.
  func succeeding(with value: Value?) -> Phase { value.map(Phase.loaded) ?? .empty }

  /// Returns the phase when a load fails.
  func failing(with error: any Error) -> Phase { .failed(error, previous: value) }

  /// Returns the phase when a load is canceled: the previous value, or initial.
  func cancelling() -> Phase {
    if case .loading(let previous) = self { return previous.map(Phase.loaded) ?? .initial }
    return self
  }
}

extension Phase: Sendable where Value: Sendable {}
