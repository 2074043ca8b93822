import FoundationEssentials
import Glibc
import SystemSupport
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("A body")
struct HTTPBodyTests {
  /// Requests a path that answers with exactly this text, then closes.
  private func get(
    _ text: String, limit: Int = 1000, limits: HTTPLimits = HTTPLimits()
  ) async throws -> (result: Result<HTTPResponse, any Error>, requests: Int) {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/", text)
    let client = HTTPClient.forTests(limits: limits)
    do {
      let response = try await client.get(server.request("/", limit: limit))
      return (.success(response), server.counts.requests)
    } catch {
      return (.failure(error), server.counts.requests)
    }
  }

  private func kind(of text: String, limits: HTTPLimits = HTTPLimits()) async throws
    -> HTTPError.Kind?
  {
    let result = try await get(text, limits: limits).result
    return #expect(throws: HTTPError.self) { try result.get() }?.kind
  }

  @Test("may be as long as the limit")
  func atTheLimit() async throws {
    let text = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "w", count: 1000)
    #expect(try await get(text).result.get().body.count == 1000)
  }

  @Test("one byte over the limit is refused, announced or not")
  func overTheLimit() async throws {
    let body = String(repeating: "w", count: 1001)
    for head in ["", "Content-Length: 1001\r\n"] {
      let kind = try await kind(of: "HTTP/1.1 200 OK\r\n\(head)\r\n\(body)")
      #expect(kind == .tooLarge(limit: 1000))
    }
  }

  @Test("announced as larger than the limit is refused before it arrives")
  func announcedTooLarge() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n")
      connection.waitUntilClosed()
    }
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.kind == .tooLarge(limit: 1 << 20))
    #expect(error.host == "127.0.0.1:\(server.port)")
    try await server.wait { $0.open == 0 }
  }

  @Test("without end is stopped at the limit")
  func endless() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while connection.send(Data(count: 100_000)) {}
    }
    let seen = Lock(0)
    let error = try await failure {
      try await HTTPClient.forTests().get(server.request("/", limit: 1_000_000)) { progress in
        seen.withLock { $0 = progress.bytesReceived }
      }
    }
    #expect(error.kind == .tooLarge(limit: 1_000_000))
    #expect(seen.withLock { $0 } <= 1_000_000)
    try await server.wait { $0.open == 0 }
  }

  @Test("after a header line over libcurl's limit is the server's fault (fault 76)")
  func longHeaderLine() async throws {
    let line = "X-Long: " + String(repeating: "w", count: 150_000)
    #expect(try await kind(of: "HTTP/1.1 200 OK\r\n\(line)\r\n\r\nwah") == .malformed)
  }

  /// The answer of a server that compresses a body by gzip, unasked.
  private func compressed(_ body: Data, times: Int = 1) throws -> Data {
    let directory = TemporaryDirectory()
    let path = directory.path("body")
    try body.write(to: directory.url.appending(path: "body"))
    for _ in 1...times {
      let result = try Subprocess.run(["gzip", "-9", "-S", "z", path], environment: [])
      guard result.status == 0 else { throw TestFailure(result.output) }
      #expect(rename(path + "z", path) == 0)
    }
    let bytes = try Data(contentsOf: directory.url.appending(path: "body"))
    let names = Array(repeating: "gzip", count: times).joined(separator: ", ")
    let head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: \(names)\r\nContent-Length: \(bytes.count)\r\n\r\n"
    return Data(head.utf8) + bytes
  }

  @Test("that is compressed without being asked for is read", arguments: [1, 2])
  func compressed(times: Int) async throws {
    let answer = try compressed(Data("wah".utf8), times: times)
    let server = try LoopbackServer()
    defer { server.stop() }
    let asked = Lock("")
    server.serveRaw("/") { message, connection in
      asked.withLock { $0 = message["accept-encoding"] ?? "nothing" }
      connection.send(answer)
    }
    let body = try await HTTPClient.forTests().get(server.request("/")).body
    #expect(body == Data("wah".utf8))
    #expect(asked.withLock(\.self) == "identity")
  }

  @Test("that is a decompression bomb ends at the limit (fault 16)", arguments: [1, 2])
  func bomb(times: Int) async throws {
    let answer = try compressed(Data(count: 50_000_000), times: times)
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in connection.send(answer) }
    let error = try await failure {
      try await HTTPClient.forTests().get(server.request("/", limit: 100_000))
    }
    #expect(error.kind == .tooLarge(limit: 100_000))
  }

  @Test(
    "that is compressed otherwise than it says is refused",
    arguments: ["gzip", "deflate", "wah"])
  func falselyCompressed(encoding: String) async throws {
    let text =
      "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: 3\r\n\r\nwah"
    #expect(try await kind(of: text) == .malformed)
  }

  @Test(
    "is the answer of a proxy that changed it, of a whole part, and with a length twice",
    arguments: [
      "203 Non-Authoritative Information\r\nContent-Length: 3",
      "206 Partial Content\r\nContent-Range: bytes 0-2/3\r\nContent-Length: 3",
      "200 OK\r\nContent-Length: 3\r\nContent-Length: 3", "200 OK\r\nContent-Length: 3, 3",
    ])
  func unusualAnswers(head: String) async throws {
    #expect(try await get("HTTP/1.1 \(head)\r\n\r\nwah").result.get().body == Data("wah".utf8))
  }

  @Test(
    "that is a part is refused",
    arguments: ["bytes 0-2/6", "bytes 3-5/6", "bytes 0-2/*", "bytes */3", "wah", "bytes 0--2/3"])
  func parts(range: String) async throws {
    let text =
      "HTTP/1.1 206 Partial Content\r\nContent-Range: \(range)\r\nContent-Length: 3\r\n\r\nwah"
    #expect(try await kind(of: text) == .status(206, retryAfter: nil))
  }

  @Test("that is a part whose own length is another, or absent, is refused")
  func wholePartsOfUnknownLength() async throws {
    for field in ["Content-Length: 2\r\n", ""] {
      let text = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-2/3\r\n\(field)\r\nwa"
      #expect(try await kind(of: text) == .status(206, retryAfter: nil))
    }
  }

  @Test(
    "that breaks off is requested once more, then refused",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nwah",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwa",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwah\r\n",
    ])
  func truncated(text: String) async throws {
    let (result, requests) = try await get(text)
    let error = #expect(throws: HTTPError.self) { try result.get() }
    #expect(error?.kind == .truncated)
    #expect(requests == 2)
  }

  @Test("that broke off is accepted if it is complete the second time")
  func truncatedOnce() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let asked = Lock(0)
    server.serveRaw("/") { _, connection in
      let isFirst = asked.withLock { count in
        count += 1
        return count == 1
      }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n" + (isFirst ? "wah" : "wahwah"))
    }
    let response = try await HTTPClient.forTests().get(server.request("/"))
    #expect(response.body == Data("wahwah".utf8))
  }

  @Test("longer than announced ends where announced, and its connection is not reused")
  func longerThanAnnounced() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
    server.serveRaw("/first") { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nwah" + evil)
      connection.staysOpen = true
    }
    server.serve("/second", LoopbackResponse(body: "good"))
    let client = HTTPClient.forTests()

    #expect(try await client.get(server.request("/first")).body == Data("wah".utf8))
    #expect(try await client.get(server.request("/second")).body == Data("good".utf8))
    #expect(server.counts.connections == 2)
  }

  @Test(
    "with an invalid length is refused",
    arguments: [
      "Content-Length: -1\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n",
      "Content-Length: 3, 4\r\n", "Content-Length: 3,\r\n",
      "Content-Length: wah\r\n", "Content-Length: 0x3\r\n", "Content-Length: +3\r\n",
      "Content-Length: 99999999999999999999999999\r\n", "Content-Length:\r\n",
    ])
  func badLengths(fields: String) async throws {
    // libcurl refuses some of them, and the parser of the head the others.
    let kind = try await kind(of: "HTTP/1.1 200 OK\r\n\(fields)\r\nwah")
    #expect([.malformed, .tooLarge(limit: 1000)].contains(kind))
  }

  @Test("in chunks is reassembled")
  func chunked() async throws {
    let text = """
      HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwah\r\n4;x=y\r\nwah!\r\n\
      0\r\nContent-Length: 1\r\n\r\n
      """
    #expect(try await get(text).result.get().body == Data("wahwah!".utf8))
  }

  @Test("in invalid chunks is refused", arguments: ["zz\r\nwah", "fffffffffffffffffff\r\n"])
  func badChunks(body: String) async throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)\r\n"
    #expect(try await kind(of: text) == .malformed)
  }

  @Test("that is empty is an error, in every form")
  func empty() async throws {
    #expect(try await kind(of: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") == .empty)
    #expect(try await kind(of: "HTTP/1.1 200 OK\r\n\r\n") == .empty)
    #expect(try await kind(of: "HTTP/1.1 204 No Content\r\n\r\n") == .empty)
  }

  @Test("after interim answers is the final one")
  func afterInterimAnswers() async throws {
    let text = """
      HTTP/1.1 103 Early\r\nContent-Type: text/html\r\n\r\n\
      HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nwah
      """
    let response = try await get(text).result.get()
    #expect(response.body == Data("wah".utf8))
    #expect(response.contentType == nil)
  }

  @Test("is missing if the connection just closes")
  func nothingAtAll() async throws {
    #expect(try await kind(of: "") == .connectionLost)
  }

  @Test(
    "that is not HTTP is refused", arguments: ["wah wah wah\r\n\r\n", "\r\n\r\n", "SSH-2.0-x\r\n"])
  func notHTTP(text: String) async throws {
    let kind = try await kind(of: text)
    #expect(kind == .malformed || kind == .connectionLost || kind == .address(.unreadable))
  }

  @Test("is not awaited if the head is too long")
  func longHead() async throws {
    let limits = HTTPLimits.with { $0.headBytes = 1000 }
    let line = "X-Wah: " + String(repeating: "w", count: 90) + "\r\n"
    let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 20)
    #expect(try await kind(of: head + "\r\nwah", limits: limits) == .malformed)
  }

  @Test("that ends in a reset counts as broken off")
  func reset() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nwah")
      connection.resetOnClose()
    }
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    // The reset may overtake the bytes.
    #expect(error.kind == .truncated || error.kind == .connectionLost)
  }
}
