internal import CPantryCrypto

/// OpenSSL's libcrypto, loaded when the first digest is computed.
///
/// Immutable and for any thread. There is no way to continue without it: nothing can be stored or
/// verified.
struct CryptoLibrary: @unchecked Sendable {
  // The pointers stay valid: the library is never unloaded.
  static let shared = CryptoLibrary()

  let functions: pantry_crypto

  private init() {
    var functions = pantry_crypto()
    if let reason = pantry_crypto_load(&functions) {
      fatalError(
        "\(PANTRY_CRYPTO_LIBRARY), which computes SHA-256, could not be loaded: install OpenSSL "
          + "(Debian's libssl package): \(String(cString: reason))")
    }
    self.functions = functions
  }
}
