import Testing

@testable import PandaCore

@Suite("An HTTP error")
struct HTTPErrorTests {
  @Test(
    "is one short sentence",
    arguments: [
      (.hostNotFound, "redpanda.club could not be found (no network?)"),
      (.unreachable, "redpanda.club could not be reached (no network?)"),
      (.connectTimeout(.seconds(5)), "redpanda.club did not accept a connection within 5 s"),
      (.timeout(.seconds(20)), "redpanda.club did not finish within 20 s"),
      (
        .untrusted,
        "redpanda.club could not prove that it is redpanda.club (its certificate is not trusted; "
          + "SSL_CERT_FILE, SSL_CERT_DIR or CURL_CA_BUNDLE can name its authority)"
      ),
      (
        .tooSlow(bytesPerSecond: 1024, for: .seconds(8)),
        "redpanda.club sent less than 1 KB a second for 8 s"
      ),
      (.status(503, retryAfter: nil), "redpanda.club answered 503 (server error)"),
      (.status(418, retryAfter: nil), "redpanda.club answered 418"),
      (.tooLarge(limit: 20 << 20), "redpanda.club sent more than 20 MB"),
      (.tooLarge(limit: 1 << 20), "redpanda.club sent more than 1 MB"),
      (.tooLarge(limit: 1500), "redpanda.club sent more than 1500 bytes"),
      (
        .redirect(.downgrade),
        "redpanda.club redirected to a refused address: "
          + "it leads from https to plain http"
      ),
    ] as [(HTTPError.Kind, String)])
  func message(kind: HTTPError.Kind, sentence: String) {
    #expect(HTTPError(kind, host: "redpanda.club").message == sentence)
  }

  @Test("counts as offline only if every source would fail the same way")
  func offline() {
    let offline: [HTTPError.Kind] = [.hostNotFound, .lookupTimeout, .unreachable]
    for kind in offline { #expect(HTTPError(kind, host: "").isOffline) }
    let online: [HTTPError.Kind] = [.connectionRefused, .empty, .status(503, retryAfter: nil)]
    for kind in online { #expect(!HTTPError(kind, host: "").isOffline) }
  }
}
