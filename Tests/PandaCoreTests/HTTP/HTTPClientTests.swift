import FoundationEssentials
import SystemSupport
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("The HTTP client")
struct HTTPClientTests {
  @Test("fetches a body, sending its name and nothing more")
  func fetches() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve(
      "/panda", LoopbackResponse(fields: [("Content-Type", "image/jpeg")], body: "wah"))
    let client = HTTPClient.forTests()

    let response = try await client.get(server.request("/panda"))

    #expect(response.body == Data("wah".utf8))
    #expect(response.contentType == "image/jpeg")
    #expect(response.url == server.url("/panda"))
    let sent = try #require(server.requests.first)
    #expect(sent.fields.map(\.name) == ["host", "user-agent", "accept", "accept-encoding"])
    #expect(sent["user-agent"] == "panda/test (+https://panda.invalid)")
    #expect(sent["accept"] == "image/*")
  }

  @Test("reuses the connection of an error and of a redirect")
  func reusesAfterErrors() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/broken", LoopbackResponse(status: 500, body: "oh no"))
    server.serve("/old", .redirect(to: "/new"))
    server.serve("/new", LoopbackResponse(body: "wah"))
    let client = HTTPClient.forTests()

    _ = try await failure { try await client.get(server.request("/broken")) }
    _ = try await client.get(server.request("/old"))

    #expect(server.counts.requests == 3)
    #expect(server.counts.connections == 1)
  }

  @Test("silently reconnects if the server closed the connection in between")
  func replacesDeadConnections() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    // The client assumes that the connection stays open.
    server.serveRaw("/*", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nwah")
    let client = HTTPClient.forTests()

    for number in 1...5 {
      let response = try await client.get(server.request("/\(number)"))
      #expect(response.body == Data("wah".utf8))
    }

    #expect(server.counts.connections == 5)
  }

  @Test("silently reconnects if the server closes as the next request arrives")
  func replacesDyingConnections() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let asked = Lock(0)
    server.serve("/first", LoopbackResponse(body: "wah"))
    server.serveRaw("/second") { _, connection in
      let isFirstTry = asked.withLock { count in
        count += 1
        return count == 1
      }
      if !isFirstTry { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain") }
    }
    let client = HTTPClient.forTests()

    _ = try await client.get(server.request("/first"))
    let response = try await client.get(server.request("/second"))

    #expect(response.body == Data("again".utf8))
    #expect(server.counts.connections == 2)
  }

  @Test("fault 24: reconnects once, however often the server closes")
  func reconnectsOnce() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/first", LoopbackResponse(body: "wah"))
    server.serveRaw("/second") { _, _ in }
    let client = HTTPClient.forTests()

    _ = try await client.get(server.request("/first"))
    let error = try await failure { try await client.get(server.request("/second")) }

    #expect(error.kind == .connectionLost)
    #expect(server.requests.count { $0.path == "/second" } == 2)
  }

  @Test("fault 27: sends no cookie back")
  func sendsNoCookies() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve(
      "/*", LoopbackResponse(fields: [("Set-Cookie", "id=7; Path=/; Max-Age=9999")], body: "wah"))
    let client = HTTPClient.forTests()

    for path in ["/first", "/second"] { _ = try await client.get(server.request(path)) }

    #expect(server.requests.map { $0["cookie"] } == [nil, nil])
  }

  @Test("runs 50 requests concurrently")
  func runsInParallel() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let gate = Gate()
    server.serveRaw("/*") { request, connection in
      guard connection.wait(for: gate) else { return }
      let body = request.path
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
    let client = HTTPClient.forTests()

    let bodies = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<50 {
        group.addTask {
          let response = try await client.get(server.request("/\(number)"))
          return String(decoding: response.body, as: UTF8.self)
        }
      }
      // No request is answered before all have arrived.
      try await server.wait { $0.requests >= 50 }
      gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }

    #expect(bodies == Set((0..<50).map { "/\($0)" }))
  }

  @Test("reports its progress")
  func tellsProgress() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let body = Data(repeating: 7, count: 300_000)
    server.serve("/panda", LoopbackResponse(body: body))
    let seen = Lock<[HTTPProgress]>([])

    let response = try await HTTPClient.forTests().get(server.request("/panda")) { progress in
      seen.withLock { $0.append(progress) }
    }

    #expect(response.body == body)
    let steps = seen.withLock { $0 }
    #expect(steps.last == HTTPProgress(bytesReceived: 300_000, expectedBytes: 300_000))
    #expect(steps.map(\.bytesReceived) == steps.map(\.bytesReceived).sorted())
  }

  @Test("fails requests in flight when it is closed, and accepts no more")
  func closes() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/never") { _, connection in connection.waitUntilClosed() }
    let client = HTTPClient.forTests()
    let request = server.request("/never")
    let waiting = Task { try await client.get(request) }
    try await server.wait { $0.requests >= 1 }

    await client.close()

    #expect(try await failure { try await waiting.value }.kind == .closed)
    #expect(try await failure { try await client.get(request) }.kind == .closed)
    try await server.wait { $0.open == 0 }
    await client.close()
  }

  @Test("completes its requests after being released")
  func outlivesItsOwner() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let gate = Gate()
    server.serveRaw("/panda") { _, connection in
      if connection.wait(for: gate) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nwah")
      }
    }
    let request = server.request("/panda")
    let task = Task { try await HTTPClient.forTests().get(request) }
    try await server.wait { $0.requests >= 1 }
    gate.open()
    #expect(try await task.value.body == Data("wah".utf8))
    // Released now: it closes its connection.
    try await server.wait { $0.open == 0 }
  }

  @Test("keeps header lines out of its user agent")
  func refusesInjectedHeaders() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(body: "wah"))
    let client = HTTPClient(userAgent: "panda\r\nX-Evil: 1\u{0}", environment: [:])
    var request = server.request("/")
    request.accept = "a\nX-Evil: 2"

    _ = try await client.get(request)

    let sent = try #require(server.requests.first)
    #expect(sent["x-evil"] == nil)
    #expect(sent["user-agent"] == "pandaX-Evil: 1")
  }
}
