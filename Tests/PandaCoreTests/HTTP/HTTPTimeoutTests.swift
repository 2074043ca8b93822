import FoundationEssentials
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("An answer that does not come")
struct HTTPTimeoutTests {
  @Test("is given up when the connection hangs")
  func hungConnect() async throws {
    let hole = try BlackHole()
    defer { hole.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:\(hole.port)/"))
    let client = HTTPClient.forTests(limits: .with { $0.connect = .milliseconds(100) })
    let error = try await failure {
      try await client.get(HTTPRequest(url: url, byteLimit: 1, namedSource: url))
    }
    #expect(error.kind == .connectTimeout(.milliseconds(100)))
    #expect(error.host == "127.0.0.1:\(hole.port)")
    #expect(error.operation == .connect)
  }

  @Test("is given up when it takes too long as a whole")
  func total() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in connection.waitUntilClosed() }
    let client = HTTPClient.forTests(limits: .with { $0.total = .milliseconds(200) })
    let error = try await failure { try await client.get(server.request("/")) }
    #expect(error.kind == .timeout(.milliseconds(200)))
    try await server.wait { $0.open == 0 }
  }

  @Test("is given up when it stalls in the middle")
  func lowSpeed() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nwah")
      connection.waitUntilClosed()
    }
    let client = HTTPClient.forTests(limits: .with { $0.lowSpeedTime = .seconds(1) })
    let error = try await failure { try await client.get(server.request("/")) }
    #expect(error.kind == .tooSlow(bytesPerSecond: 1024, for: .seconds(1)))
    #expect(error.host == "127.0.0.1:\(server.port)")
  }

  @Test("is given up when the head comes byte by byte and then stalls")
  func slowHead() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      for byte in "HTTP/1.1 200 OK\r\nX-Wah: w" { connection.send(String(byte)) }
      connection.waitUntilClosed()
    }
    let client = HTTPClient.forTests(limits: .with { $0.lowSpeedTime = .seconds(1) })
    let error = try await failure { try await client.get(server.request("/")) }
    #expect(error.kind == .tooSlow(bytesPerSecond: 1024, for: .seconds(1)))
  }

  @Test("is distinguished from a refused connection")
  func refused() async throws {
    let port = try closedPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    let error = try await failure {
      try await HTTPClient.forTests().get(
        HTTPRequest(url: url, byteLimit: 1, namedSource: url))
    }
    #expect(error.kind == .connectionRefused)
    #expect(!error.isOffline)
  }

  @Test("because the name is unknown counts as offline")
  func unknownName() async throws {
    let url = try #require(URL(string: "https://panda.unknown.test/"))
    let error = try await failure {
      try await HTTPClient.forTests().get(HTTPRequest(url: url, byteLimit: 1))
    }
    #expect(error.kind == .hostNotFound)
    #expect(error.isOffline)
    #expect(error.host == "panda.unknown.test")
    #expect(error.detail.hasPrefix("curl 6: "))
  }
}
