/// Says what one hop fetches, and how.
struct TransferPlan: Sendable {
  /// What is fetched.
  let address: HTTPAddress
  /// The limits, with `total` as what is left of it for this hop.
  let limits: HTTPLimits
  /// How many bytes of body are accepted.
  let byteLimit: Int
  /// The Accept header.
  let accept: String
  /// The User-Agent header.
  let userAgent: String
  /// Who may be asked.
  let policy: AddressPolicy
  /// The proxy's address, `nil` for a direct connection.
  let proxy: String?
  /// Who is told when bytes arrive, on the client's thread.
  let progress: (@Sendable (HTTPProgress) -> Void)?
}
