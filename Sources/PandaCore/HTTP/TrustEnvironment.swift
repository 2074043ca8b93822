/// The authorities that servers' certificates are verified with, as the environment names them.
///
/// curl's own program reads these variables, not its library.
struct TrustEnvironment: Sendable {
  /// The file of certificates in place of the system's; nil for the system's.
  let file: String?
  /// The directory of certificates beside the file.
  let directory: String?

  /// Reads `CURL_CA_BUNDLE`, which alone counts where it is set, `SSL_CERT_FILE` and
  /// `SSL_CERT_DIR`.
  init(_ environment: [String: String]) {
    func named(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let bundle = named("CURL_CA_BUNDLE")
    file = bundle ?? named("SSL_CERT_FILE")
    directory = bundle == nil ? named("SSL_CERT_DIR") : nil
  }
}
