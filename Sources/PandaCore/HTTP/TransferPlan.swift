/// The parameters of one hop.
struct TransferPlan: Sendable {
  /// The address to fetch.
  let address: HTTPAddress
  /// The limits, with `total` as the time left for this hop.
  let limits: HTTPLimits
  /// The maximum size of the body, in bytes.
  let byteLimit: Int
  /// The Accept header.
  let accept: String
  /// The User-Agent header.
  let userAgent: String
  /// The policy on which addresses are allowed.
  let policy: AddressPolicy
  /// The proxy's address; `nil` for a direct connection.
  let proxy: String?
  /// Called when bytes arrive, on the client's thread.
  let progress: (@Sendable (HTTPProgress) -> Void)?
}
