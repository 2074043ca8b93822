import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore

/// Fault 20: connections that cannot be secured.
///
/// The tests of expired certificates and other hosts are in EndToEndTests: they need an authority
/// that the system trusts.
@Suite struct HTTPSecurityTests {
  private func failure(of url: URL) async throws -> HTTPError {
    try await PandaCoreTests.failure {
      try await HTTPClient.forTests().get(
        HTTPRequest(url: url, byteLimit: 1_000, namedSource: url))
    }
  }

  @Test(.enabled(if: TLSServer.isAvailable))
  func `fault 20: an untrusted certificate is refused`() async throws {
    let server = try TLSServer(.selfSigned)
    try server.serve("panda.json", Data("{}".utf8))
    let error = try await failure(of: server.url("panda.json"))
    #expect(error.kind == .untrusted)
  }

  @Test(
    .enabled(if: TLSServer.isAvailable),
    arguments: [
      (["SSL_CERT_FILE"], true), (["CURL_CA_BUNDLE"], true), (["SSL_CERT_DIR"], true), ([], false),
    ])
  func `the environment names authorities to trust, as for curl`(
    _ names: [String], _ isTrusted: Bool
  ) async throws {
    let server = try TLSServer()
    try server.serve("panda.json", Data("{}".utf8))
    let folder = TemporaryDirectory()
    // A directory of certificates has them under the hashes of their names.
    let hashed = try Subprocess.run(
      ["sh", "-ec", #"cp "$1" "$2/$(openssl x509 -hash -noout -in "$1").0""#, "sh"]
        + [server.authority, folder.url.path],
      environment: ["PATH=/usr/bin:/bin"])
    try #require(hashed.status == 0, "\(hashed.output)")
    let environment = names.map {
      ($0, $0 == "SSL_CERT_DIR" ? folder.url.path : server.authority)
    }
    let client = HTTPClient.forTests(environment: Dictionary(uniqueKeysWithValues: environment))
    let url = server.url("panda.json")
    let request = HTTPRequest(url: url, byteLimit: 1_000, namedSource: url)
    if isTrusted {
      #expect(try await client.get(request).body == Data("{}".utf8))
    } else {
      let error = try await PandaCoreTests.failure { try await client.get(request) }
      #expect(error.kind == .untrusted && error.message.contains("SSL_CERT_FILE"))
    }
  }

  @Test(.enabled(if: TLSServer.isAvailable))
  func `fault 20: TLS before 1.2 is refused`() async throws {
    let server = try TLSServer(.oldProtocol)
    let error = try await failure(of: server.url("panda.json"))
    #expect(error.kind == .insecure)
  }

  @Test func `fault 20: an interrupted handshake is not a connection`() async throws {
    let server = try LoopbackServer()
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    async let error = failure(of: url)
    // The client has sent its part, which is no request, and waits for the server's.
    try await server.wait { $0.open == 1 }
    server.stop()
    #expect([.insecure, .connectionLost].contains(try await error.kind))
  }
}
