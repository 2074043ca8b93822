internal import CPantryCrypto

/// OpenSSL's libcrypto, loaded when the first digest is computed.
///
/// Immutable and for any thread. There is no way to continue without it: nothing can be stored or
/// verified.
struct CryptoLibrary: @unchecked Sendable {
  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<CryptoLibrary, LoadError> { () throws(LoadError) in
    try CryptoLibrary()
  }

  static var shared: CryptoLibrary {
    switch loaded {
    case .success(let library): library
    case .failure(let error): fatalError(error.sentence)
    }
  }

  /// Why the library cannot be used; nil if it can.
  static var reasonUnavailable: String? {
    if case .failure(let error) = loaded { error.sentence } else { nil }
  }

  // The pointers stay valid: the library is never unloaded.
  let functions: pantry_crypto

  private init() throws(LoadError) {
    var functions = pantry_crypto()
    if let reason = pantry_crypto_load(&functions) {
      throw LoadError(reason: String(cString: reason))
    }
    self.functions = functions
  }

  private struct LoadError: Error {
    /// The dynamic loader's message.
    let reason: String

    var sentence: String {
      "\(PANTRY_CRYPTO_LIBRARY), which computes SHA-256, could not be loaded: install OpenSSL "
        + "(Debian's libssl package): \(reason)"
    }
  }
}
