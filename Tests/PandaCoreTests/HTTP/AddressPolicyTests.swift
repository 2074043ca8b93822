import FoundationEssentials
import Glibc
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("The address policy")
struct AddressPolicyTests {
  @Test(
    "knows private addresses",
    arguments: [
      "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
      "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0",
      "172.31.255.255", "192.0.0.1", "192.168.0.0", "192.168.255.255", "224.0.0.1",
      "239.255.255.255", "240.0.0.1", "255.255.255.255",
      "::", "::1", "::7f00:1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:192.168.1.1", "64:ff9b::10.0.0.1",
      "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::", "2001::1", "100::1",
    ])
  func privateAddresses(text: String) throws {
    #expect(AddressPolicy.isPrivate(try #require(IPAddress(text))))
  }

  @Test(
    "knows public addresses",
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
      "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
      "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.18.0.1", "223.255.255.255",
      "2606:4700:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
      "2002:101:101::",
    ])
  func publicAddresses(text: String) throws {
    #expect(!AddressPolicy.isPrivate(try #require(IPAddress(text))))
  }

  @Test(
    "refuses and accepts addresses by their text",
    arguments: [
      ("https://example.org/", nil, nil),
      ("http://example.org/", nil, .plainHTTP),
      ("http://example.org/", "https://other.example/", .plainHTTP),
      ("http://example.org/", "http://other.example/", nil),
      ("http://example.org/", "http://127.0.0.1:8080/", nil),
      ("https://127.0.0.1/", nil, .privateHost),
      ("https://localhost/", nil, .privateHost),
      ("https://a.localhost/", nil, .privateHost),
      ("https://notlocalhost.example/", nil, nil),
      ("https://router/", nil, .privateHost),
      ("https://nas.local/", nil, .privateHost),
      ("https://nas.home.arpa/", nil, .privateHost),
      ("https://[::1]/", nil, .privateHost),
      ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/random/json", nil),
      ("http://127.0.0.1:8081/x", "http://127.0.0.1:8080/random/json", .privateHost),
      ("http://127.0.0.2:8080/x", "http://127.0.0.1:8080/random/json", .privateHost),
      ("http://localhost:8080/x", "http://127.0.0.1:8080/random/json", .privateHost),
      ("http://LocalHost:8080/x", "http://localhost:8080/random/json", nil),
      ("http://127.1:8080/x", "http://127.0.0.1:8080/random/json", nil),
      ("https://192.168.1.2/x", "https://192.168.1.2/random/json", nil),
      ("https://192.168.1.2/x", "https://example.org/", .privateHost),
    ] as [(String, String?, HTTPError.AddressProblem?)])
  func judgesText(
    text: String, named: String?, problem: HTTPError.AddressProblem?
  ) throws {
    let policy = AddressPolicy(named: try named.map { try HTTPAddress($0) })
    let address = try HTTPAddress(text)
    if let problem {
      let error = #expect(throws: HTTPError.self) { try policy.check(address) }
      #expect(error?.kind == .address(problem))
    } else {
      try policy.check(address)
    }
  }

  @Test("refuses a public name that resolves to a private address, before connecting")
  func rebinding() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(body: "secret"))
    let url = server.url("/", host: "panda.private.test")
    let named = try #require(URL(string: "http://example.org/"))

    let error = try await failure {
      try await HTTPClient.forTests().get(
        HTTPRequest(url: url, byteLimit: 10, namedSource: named))
    }

    #expect(error.kind == .privateAddress)
    #expect(error.detail.contains("127.0.0.1"))
    #expect(server.counts.connections == 0)
  }

  @Test("refuses to reuse a connection that only another request was allowed to open")
  func reuse() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(body: "secret"))
    let url = server.url("/", host: "panda.private.test")
    let client = HTTPClient.forTests()
    var request = HTTPRequest(url: url, byteLimit: 10, namedSource: url)
    _ = try await client.get(request)

    request.namedSource = URL(string: "http://example.org/")
    let error = try await failure { try await client.get(request) }

    #expect(error.kind == .privateAddress)
    #expect(server.counts.requests == 1)
  }
}

@Suite("An address")
struct HTTPAddressTests {
  @Test(
    "is read as libcurl will use it",
    arguments: [
      ("https://Example.ORG", "example.org", 443, "https://example.org/"),
      ("HTTP://example.org:8080/a?b#c", "example.org", 8080, "http://example.org:8080/a?b"),
      ("https://example.org./a b", "example.org", 443, "https://example.org./a%20b"),
      ("https://0x7f.1/", "127.0.0.1", 443, "https://127.0.0.1/"),
      ("https://2130706433/", "127.0.0.1", 443, "https://127.0.0.1/"),
      ("https://[::1]:99/", "::1", 99, "https://[::1]:99/"),
    ])
  func reads(text: String, host: String, port: Int, whole: String) throws {
    let address = try HTTPAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.text.lowercased() == whole)
  }

  /// libcurl 7.88 takes it for a name until it connects.
  @Test("cannot hide a number behind percent signs")
  func hiddenNumber() throws {
    let address = try? HTTPAddress("https://2130706%3433/")
    #expect(address == nil || address?.host == "127.0.0.1")
    #expect(throws: HTTPError.self) {
      try AddressPolicy(named: nil).check(HTTPAddress("https://2130706%3433/"))
    }
  }

  /// Runs in a separate process, since the locale is process-wide.
  @Test(
    "with non-ASCII letters becomes punycode, which exposes look-alikes",
    .enabled(if: HTTPClient.hasLibrary(7, 88), "libcurl converts names since 7.88"))
  func punycode() async throws {
    await #expect(processExitsWith: .success) {
      try #require(setlocale(LC_ALL, "C.UTF-8") != nil)
      let address = try HTTPAddress("https://b\u{fc}cher.example/\u{fc}")
      #expect(address.host == "xn--bcher-kva.example")
      #expect(address.text.lowercased() == "https://xn--bcher-kva.example/%c3%bc")
      // A Cyrillic a.
      #expect(try HTTPAddress("https://p\u{430}nda.example/").host == "xn--pnda-53d.example")
    }
  }

  @Test("with non-ASCII letters is refused in a locale without them")
  func otherLetters() async throws {
    await #expect(processExitsWith: .success) {
      let error = #expect(throws: HTTPError.self) {
        _ = try HTTPAddress("https://b\u{fc}cher.example/")
      }
      #expect(error?.kind == .address(.unreadable))
    }
  }

  @Test(
    "may be relative to another",
    arguments: [
      ("wah.jpg", "https://a.example/x/wah.jpg"), ("/wah.jpg", "https://a.example/wah.jpg"),
      ("../wah.jpg", "https://a.example/wah.jpg"), ("?q", "https://a.example/x/y?q"),
      ("//b.example/wah.jpg", "https://b.example/wah.jpg"),
      ("http://c.example/", "http://c.example/"), ("a:b", nil),
      ("./a:b", "https://a.example/x/a:b"),
      ("///b.example", "https://b.example/"), ("https:wah", nil), ("\u{0}", nil), ("", nil),
      ("a\nb", nil), ("wah\u{1b}[2J.jpg", nil), ("?\u{7f}", nil),
      ("https://c.example/\t", nil),
    ] as [(String, String?)])
  func resolves(text: String, whole: String?) throws {
    let base = try HTTPAddress("https://a.example/x/y")
    let address = try? HTTPAddress(text, relativeTo: base)
    #expect(address?.text == whole)
  }

  @Test(
    "is refused with the reason",
    arguments: [
      ("ftp://a.example/", .scheme("ftp")), ("file:///etc/passwd", .scheme("file")),
      ("panda://grove/1", .scheme("panda")), ("https://me@a.example/", .credentials),
      ("https://me:pass@a.example/", .credentials), ("https://", .unreadable),
      ("wah", .unreadable), ("", .unreadable), ("https://a.example\u{0}.b.example/", .unreadable),
      ("https://a.example:0x50/", .unreadable), ("https://a.example\\@b.example/", .credentials),
      ("https://a\u{1b}[2J.example/", .unreadable),
      ("https://a.example/" + String(repeating: "a", count: 4096), .tooLong(limit: 4096)),
      ("https://a.example/" + String(repeating: "\u{fc}", count: 1500), .tooLong(limit: 4096)),
    ] as [(String, HTTPError.AddressProblem)])
  func refuses(text: String, problem: HTTPError.AddressProblem) throws {
    let error = #expect(throws: HTTPError.self) { _ = try HTTPAddress(text) }
    #expect(error?.kind == .address(problem), "\(text.prefix(60))")
  }
}
