import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore

/// Fault 20: connections that cannot be secured.
@Suite struct HTTPSecurityTests {
  private func failure(of url: URL) async throws -> HTTPError {
    try await PandaCoreTests.failure {
      try await HTTPClient.forTests().get(
        HTTPRequest(url: url, byteLimit: 1_000, namedSource: url))
    }
  }

  @Test func `fault 20: a handshake that is cut is no connection`() async throws {
    let server = try LoopbackServer()
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    async let error = failure(of: url)
    // The client has sent its part, which is no request, and waits for the server's.
    try await server.wait { $0.open == 1 }
    server.stop()
    #expect([.insecure, .connectionLost].contains(try await error.kind))
  }
}
