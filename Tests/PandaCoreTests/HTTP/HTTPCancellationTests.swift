import CTestResolver
import FoundationEssentials
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("A canceled GET")
struct HTTPCancellationTests {
  @Test("throws in the middle of a body, and closes the connection")
  func duringBody() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/slow") { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nwah")
      connection.waitUntilClosed()
    }
    let client = HTTPClient.forTests()
    let request = server.request("/slow")
    let begun = Gate()
    let (steps, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      try await client.get(request) { continuation.yield($0.bytesReceived) }
    }
    for await bytes in steps where bytes == 3 { break }
    begun.open()

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    try await server.wait { $0.open == 0 }
  }

  @Test("throws while a connection hangs")
  func duringConnect() async throws {
    let hole = try BlackHole()
    defer { hole.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:\(hole.port)/"))
    let client = HTTPClient.forTests()
    let task = Task {
      try await client.get(HTTPRequest(url: url, byteLimit: 1, namedSource: url))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(
    "throws during a name lookup, without delaying other requests",
    .enabled(if: HTTPClient.hasLibrary(7, 87), "libcurl abandons lookups since 7.87"))
  func duringLookup() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(body: "wah"))
    let url = try #require(URL(string: "https://panda.blocked.test/"))
    let client = HTTPClient.forTests()
    let task = Task { try await client.get(HTTPRequest(url: url, byteLimit: 1)) }
    try await eventually("a lookup hangs") { panda_test_blocked_lookups() > 0 }

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    // getaddrinfo still hangs, but neither the next request nor the end of the client does.
    #expect(try await client.get(server.request("/")).body == Data("wah".utf8))
    await client.close()
    #expect(panda_test_blocked_lookups() > 0)
    panda_test_release_lookups()
    try await eventually("the lookup ends") { panda_test_blocked_lookups() == 0 }
  }

  @Test("sends nothing if its task was already canceled")
  func beforehand() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let request = server.request("/")
    let client = HTTPClient.forTests()
    let gate = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in gate.stream {}
      return try await client.get(request)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.counts.connections == 0)
  }

  @Test("does not affect other requests")
  func amongOthers() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let gate = Gate()
    server.serveRaw("/*") { _, connection in
      if connection.wait(for: gate) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nwah")
      }
    }
    let client = HTTPClient.forTests()
    let tasks = (0..<20).map { number in
      let request = server.request("/\(number)")
      return Task { try await client.get(request) }
    }
    try await server.wait { $0.requests >= 20 }

    for task in tasks[..<10] { task.cancel() }
    for task in tasks[..<10] {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    try await server.wait { $0.open == 10 }
    gate.open()

    for task in tasks[10...] { #expect(try await task.value.body == Data("wah".utf8)) }
  }
}
