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
