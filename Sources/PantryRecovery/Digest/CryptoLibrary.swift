internal import CPantryCrypto
internal import SystemSupport

/// OpenSSL's libcrypto, loaded when the first digest is computed, or linked.
///
/// Immutable and for any thread. There is no way to continue without it: nothing can be stored or
/// verified.
struct CryptoLibrary: @unchecked Sendable {
  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result { () throws(LibraryError) in try CryptoLibrary() }

  static var shared: CryptoLibrary {
    switch loaded {
    case .success(let library): library
    case .failure(let error): fatalError(sentence(error))
    }
  }

  /// The reason why the library cannot be used; nil if it can.
  static var reasonUnavailable: String? {
    if case .failure(let error) = loaded { sentence(error) } else { nil }
  }

  let functions: pantry_crypto
  /// OpenSSL's SHA-256, which is never freed: each use of `EVP_sha256` would look it up anew, which
  /// takes longer than hashing a short text.
  let sha256: OpaquePointer?

  private init() throws(LibraryError) {
    functions =
      if let linked = pantry_crypto_if_linked() {
        linked.pointee
      } else {
        try LoadedLibrary<pantry_crypto>(PANTRY_CRYPTO_LIBRARY, pantry_crypto_symbols()).functions
      }
    sha256 = functions.EVP_MD_fetch(nil, "SHA256", nil)
  }

  private static func sentence(_ error: LibraryError) -> String {
    "\(PANTRY_CRYPTO_LIBRARY), which computes SHA-256, could not be loaded: install OpenSSL "
      + "(apt-get install openssl): \(error.reason)"
  }
}
