/// Follows redirects hop by hop, checking every hop as strictly as the first.
struct RedirectTrail: Sendable {
  /// The address to fetch next.
  private(set) var address: HTTPAddress
  private(set) var count = 0
  let policy: AddressPolicy
  /// The limits on the number of redirects and the length of an address.
  let limits: HTTPLimits

  /// Starts at an address.
  ///
  /// - Throws: `HTTPError` of kind `.address` if the policy refuses it.
  init(
    from address: HTTPAddress, policy: AddressPolicy, limits: HTTPLimits
  ) throws(HTTPError) {
    try policy.check(address)
    (self.address, self.policy, self.limits) = (address, policy, limits)
  }

  /// Returns whether a status redirects to another address with the same GET.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// Follows a Location header.
  ///
  /// - Throws: `HTTPError` of kind `.redirect` or `.tooManyRedirects`, with the host that sent the
  ///   redirect.
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
