/// Where the loading of what a screen shows is; what was there before stays to be shown.
public enum Phase<Value> {
  /// Nothing has been asked for.
  case initial
  /// It is being loaded; `previous` is what was there before.
  case loading(previous: Value?)
  /// It was loaded, and there is nothing.
  case empty
  /// It was loaded.
  case loaded(Value)
  /// It could not be loaded; `previous` is what was there before.
  case failed(any Error, previous: Value?)

  /// What there is to show: the value, or the one before.
  public var value: Value? {
    switch self {
    case .initial, .empty: nil
    case .loaded(let value): value
    case .loading(let previous), .failed(_, let previous): previous
    }
  }

  /// Whether it is being loaded.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// Why it could not be loaded.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { return error }
    return nil
  }

  // MARK: What comes next

  /// The phase when a load begins.
  public func starting() -> Phase { .loading(previous: value) }

  /// The phase when a load ends well; nil is that there is nothing.
  public func succeeding(with value: Value?) -> Phase { value.map(Phase.loaded) ?? .empty }

  /// The phase when a load fails.
  public func failing(with error: any Error) -> Phase { .failed(error, previous: value) }

  /// The phase when a load is cancelled: what was there before, or the beginning.
  public func cancelling() -> Phase {
    if case .loading(let previous) = self { return previous.map(Phase.loaded) ?? .initial }
    return self
  }
}

extension Phase: Sendable where Value: Sendable {}
