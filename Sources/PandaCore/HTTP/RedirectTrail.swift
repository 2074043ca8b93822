/// Follows redirects hop by hop, so that every hop is judged as strictly as the first.
struct RedirectTrail: Sendable {
  /// What is to be fetched now.
  private(set) var address: HTTPAddress
  /// How many redirects led here.
  private(set) var count = 0
  /// Who may be asked.
  let policy: AddressPolicy
  /// How many redirects are followed, and how long an address may be.
  let limits: HTTPLimits

  /// Starts at an address.
  ///
  /// - Throws: `HTTPError` with the kind `.address` if the policy refuses it.
  init(
    from address: HTTPAddress, policy: AddressPolicy, limits: HTTPLimits
  ) throws(HTTPError) {
    try policy.check(address)
    (self.address, self.policy, self.limits) = (address, policy, limits)
  }

  /// Whether an answer with this status names another place for the same GET.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// Goes to where a Location header says.
  ///
  /// - Throws: `HTTPError` with the kind `.redirect` or `.tooManyRedirects`, and the host that
  ///   sent the redirect.
  mutating func follow(_ location: String) throws(HTTPError) {
    guard count < limits.redirects else {
      throw HTTPError(.tooManyRedirects(limit: limits.redirects), host: address.authority)
    }
    do throws(HTTPError) {
      let next = try HTTPAddress(location, relativeTo: address, limits: limits)
      if address.scheme == .https, next.scheme == .http {
        throw HTTPError(.address(.downgrade), host: next.authority)
      }
      try policy.check(next)
      address = next
      count += 1
    } catch {
      guard case .address(let problem) = error.kind else { throw error }
      throw HTTPError(.redirect(problem), host: address.authority, detail: error.description)
    }
  }
}
