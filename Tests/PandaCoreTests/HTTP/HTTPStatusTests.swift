import FoundationEssentials
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("A status other than 200")
struct HTTPStatusTests {
  @Test(
    "is an error with that status",
    arguments: [
      201, 205, 206, 300, 304, 400, 401, 403, 404, 407, 410, 418, 429, 500, 502, 503, 520, 599,
    ])
  func isAnError(status: Int) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(status: status, body: "<h1>no</h1>"))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    if status == 205 {
      #expect(error.kind == .empty)
    } else {
      #expect(error.status == status)
      #expect(error.retryAfter == nil)
      #expect(error.message.hasPrefix("127.0.0.1:\(server.port) answered \(status)"))
    }
    #expect(!error.isOffline)
  }

  @Test("carries the wait that the server asked for")
  func withRetryAfter() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(status: 429, fields: [("Retry-After", "17")]))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.kind == .status(429, retryAfter: .seconds(17)))
  }

  @Test("with a huge body is not read to its end")
  func withHugeBody() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      connection.send("HTTP/1.1 503 Wah\r\nContent-Length: 10000000000\r\n\r\n")
      while connection.send(Data(count: 10_000)) {}
    }
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.status == 503)
  }
}

@Suite("Retry-After")
struct RetryAfterTests {
  private func wait(_ field: String) async throws -> Duration? {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(status: 503, fields: [("Retry-After", field)]))
    return try await failure { try await HTTPClient.forTests().get(server.request("/")) }.retryAfter
  }

  // Newer releases of libcurl limit a wait to 6 hours, and ignore the past.
  @Test(
    "is read, and clamped to between 1 second and 24 hours",
    arguments: [
      ("17", [17]), (" 17 ", [17]), ("901", [901]), ("1000000000", [21_600, 86_400]),
      ("99999999999999999999999999", [21_600, 86_400, nil]),
      ("Fri, 31 Dec 9999 23:59:59 GMT", [21_600, 86_400]),
      ("Sunday, 06-Nov-94 08:51:37 GMT", [1, nil]), ("-5", [1, nil]),
    ] as [(String, [Int?])])
  func reads(value: String, seconds: [Int?]) async throws {
    #expect(seconds.map { $0.map { .seconds($0) } }.contains(try await wait(value)))
  }

  @Test(
    "of a 429 may be in its body",
    arguments: [
      (#"{"detail": "Request was throttled. Expected available in 3600 seconds."}"#, 3600),
      ("Expected available in 1 second.", 1), ("available in 99999999999999999999 seconds", 86_400),
      ("available in 5 days", nil), ("available in seconds", nil), ("", nil),
    ])
  func inBody(text: String, seconds: Int?) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(status: 429, body: text))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.kind == .status(429, retryAfter: seconds.map { .seconds($0) }))
  }

  @Test("that is invalid is ignored", arguments: ["", " ", "-", "0", "wah", "::"])
  func refuses(value: String) async throws {
    #expect(try await wait(value) == nil)
  }
}
