import FoundationEssentials
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("A proxy")
struct HTTPProxyTests {
  @Test("receives the whole address, and may be private")
  func isUsed() async throws {
    let proxy = try LoopbackServer()
    defer { proxy.stop() }
    proxy.serve("http://public.example/panda", LoopbackResponse(body: "wah"))
    let client = HTTPClient.forTests(environment: ["all_proxy": "127.0.0.1:\(proxy.port)"])
    let url = try #require(URL(string: "http://public.example/panda"))
    let response = try await client.get(
      HTTPRequest(url: url, byteLimit: 10, namedSource: url))
    #expect(response.body == Data("wah".utf8))
  }

  @Test("is not asked for private addresses that the user did not name")
  func isNotAWayAround() async throws {
    let proxy = try LoopbackServer()
    defer { proxy.stop() }
    let client = HTTPClient.forTests(environment: ["all_proxy": "127.0.0.1:\(proxy.port)"])
    let url = try #require(URL(string: "https://192.168.0.1/"))
    let error = try await failure {
      try await client.get(HTTPRequest(url: url, byteLimit: 10))
    }
    #expect(error.kind == .address(.privateHost))
    #expect(proxy.counts.connections == 0)
  }

  @Test("that refuses is reported as the cause")
  func refuses() async throws {
    let proxy = try LoopbackServer()
    defer { proxy.stop() }
    proxy.serveRaw("*", "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
    let port = try closedPort()
    for at in [proxy.port, port] {
      let client = HTTPClient.forTests(environment: ["https_proxy": "http://127.0.0.1:\(at)"])
      let url = try #require(URL(string: "https://public.example/"))
      let error = try await failure {
        try await client.get(HTTPRequest(url: url, byteLimit: 10))
      }
      #expect(error.kind == .proxy)
      #expect(error.host == "public.example")
    }
  }

  @Test("is found in the environment as curl finds it")
  func environment() throws {
    let table: [([String: String], String, String?)] = [
      ([:], "http://a.example", nil),
      (["http_proxy": "p:1"], "http://a.example", "p:1"),
      (["http_proxy": "p:1"], "https://a.example", nil),
      (["HTTP_PROXY": "p:1"], "http://a.example", nil),
      (["HTTPS_PROXY": "p:1"], "https://a.example", "p:1"),
      (["https_proxy": "p:1", "HTTPS_PROXY": "q:1"], "https://a.example", "p:1"),
      (["https_proxy": "", "all_proxy": "q:1"], "https://a.example", nil),
      (["ALL_PROXY": "q:1"], "https://a.example", "q:1"),
      (["all_proxy": "q:1", "no_proxy": "*"], "https://a.example", nil),
      (["all_proxy": "q:1", "no_proxy": "b.example, a.example"], "https://a.example", nil),
      (["all_proxy": "q:1", "no_proxy": ".example."], "https://a.example", nil),
      (["all_proxy": "q:1", "NO_PROXY": "A.EXAMPLE"], "https://x.a.example", nil),
      (["all_proxy": "q:1", "no_proxy": "a.example"], "https://ba.example", "q:1"),
      (["all_proxy": "q:1", "no_proxy": "10.0.0.0/8"], "https://10.1.2.3", nil),
      (["all_proxy": "q:1", "no_proxy": "10.0.0.0/8"], "https://11.1.2.3", "q:1"),
      (["all_proxy": "q:1", "no_proxy": "10.0.0.0/wah,/"], "https://10.1.2.3", "q:1"),
      (["all_proxy": "q:1", "no_proxy": "fd00::/8,::1"], "https://[fd12::1]", nil),
      (["all_proxy": "q:1", "no_proxy": "127.0.0.1"], "https://127.0.0.1", nil),
      (["all_proxy": "q:1", "no_proxy": ",, ."], "https://a.example", "q:1"),
    ]
    for (variables, address, proxy) in table {
      let found = ProxyEnvironment(variables).proxy(for: try HTTPAddress(address))
      #expect(found == proxy, "\(variables) \(address)")
    }
  }

  @Test("is shown without its password")
  func isShown() throws {
    let client = HTTPClient.forTests(environment: ["https_proxy": "http://me:pass@proxy:3128/"])
    #expect(client.proxy(for: try #require(URL(string: "https://a.example"))) == "proxy:3128")
    #expect(client.proxy(for: try #require(URL(string: "http://a.example"))) == nil)
  }
}
