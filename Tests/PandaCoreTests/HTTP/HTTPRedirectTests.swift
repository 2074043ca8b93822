import FoundationEssentials
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("A redirect")
struct HTTPRedirectTests {
  @Test("is followed, whatever its kind", arguments: [301, 302, 303, 307, 308])
  func followed(status: Int) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/old/panda", .redirect(status, to: "../new/panda?a=1#here"))
    server.serve("/new/panda", LoopbackResponse(body: "wah"))

    let response = try await HTTPClient.forTests().get(server.request("/old/panda"))

    #expect(response.body == Data("wah".utf8))
    #expect(response.url == server.url("/new/panda?a=1"))
    #expect(server.requests.map(\.method) == ["GET", "GET"])
  }

  @Test("is followed five times")
  func fiveTimes() async throws {
    let server = try chain(of: 5)
    defer { server.stop() }
    let response = try await HTTPClient.forTests().get(server.request("/0"))
    #expect(response.url == server.url("/5"))
  }

  @Test("is not followed a sixth time")
  func notSixTimes() async throws {
    let server = try chain(of: 6)
    defer { server.stop() }
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/0")) }
    #expect(error.kind == .tooManyRedirects(limit: 5))
    #expect(server.counts.requests == 6)
  }

  private func chain(of length: Int) throws -> LoopbackServer {
    let server = try LoopbackServer()
    for step in 0..<length { server.serve("/\(step)", .redirect(to: "/\(step + 1)")) }
    server.serve("/\(length)", LoopbackResponse(body: "wah"))
    return server
  }

  @Test("is not followed in a circle")
  func circle() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", .redirect(to: "/b"))
    server.serve("/b", .redirect(to: "/a"))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/a")) }
    #expect(error.kind == .tooManyRedirects(limit: 5))
  }

  @Test(
    "is refused if it leads to a scheme other than http and https",
    arguments: [
      ("file:///etc/passwd", "file"), ("ftp://example.org/panda", "ftp"),
      ("data:image/png;base64,AAAA", nil), ("javascript:alert(1)", nil),
      ("FILE:/etc/passwd", "file"), ("gopher://example.org/", "gopher"),
    ])
  func otherSchemes(location: String, scheme: String?) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", .redirect(to: location))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.kind == .redirect(scheme.map { .scheme($0) } ?? .unreadable))
    #expect(error.host == "127.0.0.1:\(server.port)")
    #expect(server.counts.requests == 1)
  }

  @Test(
    "is refused when it leads to another private address than the named one",
    arguments: [
      "http://127.0.0.2:1/", "http://127.1:1/", "http://2130706433:1/", "http://0x7f000001:1/",
      "http://0177.0.0.1:1/", "http://[::1]:1/", "http://[::ffff:127.0.0.1]:1/",
      "http://localhost:1/", "http://LOCALHOST.:1/", "http://wah.localhost:1/",
      "http://169.254.169.254/latest/meta-data/", "http://192.168.1.1/", "//10.0.0.1/",
      "http://%31%32%37.0.0.1:1/", "http://0/", "http://[fe80::1]/", "http://[fd00::1]/",
    ])
  func privateAddresses(location: String) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", .redirect(to: location))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.kind == .redirect(.privateHost))
  }

  @Test("is refused when it leads from a public host to a private one, even through a proxy")
  func fromPublicToPrivate() async throws {
    // As a proxy the server receives whole addresses, so it can play a public host.
    let proxy = try LoopbackServer()
    defer { proxy.stop() }
    proxy.serve("http://public.example/panda", .redirect(to: "http://public.example/moved"))
    proxy.serve("http://public.example/moved", .redirect(to: "http://192.168.0.1/"))
    let client = HTTPClient.forTests(
      environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
    let url = try #require(URL(string: "http://public.example/panda"))

    let error = try await failure {
      try await client.get(HTTPRequest(url: url, byteLimit: 1000, namedSource: url))
    }

    #expect(error.kind == .redirect(.privateHost))
    #expect(error.host == "public.example")
    #expect(proxy.counts.requests == 2)
  }

  @Test("is refused with a user name, too long, or unreadable")
  func badAddresses() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let long = "/" + String(repeating: "a", count: 5000)
    let table: [(String, HTTPError.AddressProblem)] = [
      ("http://panda:secret@127.0.0.1:\(server.port)/", .credentials),
      (long, .tooLong(limit: 4096)), ("http://", .unreadable), ("http://a b/", .unreadable),
      ("http://example.org:99999/", .unreadable),
    ]
    for (location, problem) in table {
      server.serve("/", .redirect(to: location))
      let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
      #expect(error.kind == .redirect(problem), "\(location.prefix(50))")
    }
  }

  @Test("without a location is an ordinary error")
  func withoutLocation() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(status: 302, body: "somewhere"))
    let error = try await failure { try await HTTPClient.forTests().get(server.request("/")) }
    #expect(error.kind == .status(302, retryAfter: nil))
  }

  @Test("with an endless body is followed without reading it")
  func withEndlessBody() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/") { _, connection in
      connection.send("HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n")
      while connection.send(Data(count: 10_000)) {}
    }
    server.serve("/next", LoopbackResponse(body: "wah"))
    let response = try await HTTPClient.forTests().get(server.request("/"))
    #expect(response.body == Data("wah".utf8))
  }
}

@Suite("The trail of redirects")
struct RedirectTrailTests {
  private func trail(_ start: String, named: String? = nil) throws -> RedirectTrail {
    try RedirectTrail(
      from: HTTPAddress(start), policy: AddressPolicy(named: named.map { try HTTPAddress($0) }),
      limits: HTTPLimits())
  }

  @Test("never leads from https to http, not even for a source named as http")
  func downgrade() throws {
    var plain = try trail("https://a.example/", named: "http://a.example/")
    let error = #expect(throws: HTTPError.self) { try plain.follow("http://a.example/") }
    #expect(error?.kind == .redirect(.downgrade))
    #expect(plain.address.text == "https://a.example/")
    var secure = try trail("https://a.example/")
    #expect(throws: HTTPError.self) { try secure.follow("http://b.example/") }
  }

  @Test("leads from http to https and on")
  func upgrade() throws {
    var trail = try trail("http://a.example/", named: "http://a.example/")
    try trail.follow("https://a.example/x")
    try trail.follow("y?z")
    #expect(trail.address.text == "https://a.example/y?z")
    #expect(trail.count == 2)
  }
}
