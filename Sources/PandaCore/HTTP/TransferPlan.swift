/// The parameters of one hop.
struct TransferPlan: Sendable {
  let address: HTTPAddress
  /// The limits, with `total` as the time left for this hop.
  let limits: HTTPLimits
  let byteLimit: Int
  let accept: String
  let userAgent: String
  let policy: AddressPolicy
  /// The proxy's address; `nil` for a direct connection.
  let proxy: String?
  let trust: TrustEnvironment
  /// Called when bytes arrive, on the client's thread.
  let progress: (@Sendable (HTTPProgress) -> Void)?
}
