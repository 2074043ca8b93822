extension RequestGate.Failure {
  /// The rank of the failure: lower ones better explain why there is no picture.
  var rank: Int {
    switch self {
    case .useless, .refused, .tooMany: 0
    case .offline: 1
    case .resting: 2
    }
  }

  package init(_ error: any Error) {
    switch error {
    case let error as HTTPError where error.isOffline: self = .offline
    case let error as HTTPError where error.isUnsent && error.retryAfter != nil:
      self = .resting(error.retryAfter ?? .zero)
    case let error as HTTPError where error.status == 401 || error.status == 403: self = .refused
    case let error as HTTPError where error.status == 429: self = .tooMany(wait: error.retryAfter)
    case let error as HTTPError where error.retryAfter != nil:
      self = .tooMany(wait: error.retryAfter)
    case let error as ImageSourceError:
      switch error.kind {
      case .resting(let wait): self = .resting(wait)
      case .unreachable: self = .offline
      case .noContact: self = .refused
      default: self = .useless
      }
    default: self = .useless
    }
  }
}
