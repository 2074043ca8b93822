import FoundationEssentials
import SystemSupport
import PandaTestSupport
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@Suite("A source that is only an address")
struct GuessedSourceTests {
  private static let picture = drawing(1)

  private static func drawing(_ seed: UInt64) -> Data {
    let size = PixelSize(width: 64, height: 48)
    // A drawing that could not be encoded would fail every test here.
    return (try? BambooGrove.drawing(seed: seed, size: size).pngData()) ?? Data()
  }

  /// Serves a JSON answer and a picture at `/wah.jpg`, and fetches.
  private func fetch(
    _ json: Data, type: String = "application/json"
  ) async throws -> (image: Result<FetchedImage, any Error>, server: LoopbackServer) {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/random/json", LoopbackResponse(fields: [("Content-Type", type)], body: json))
    server.serve("/wah.jpg", LoopbackResponse(body: Self.picture))
    server.serve("/random/wah.jpg", LoopbackResponse(body: Self.picture))
    let source = await guessed(server.url("/random/json"))
    do {
      return (.success(try await source.fetchImage { _ in }), server)
    } catch {
      return (.failure(error), server)
    }
  }

  @Test("fetches the JSON, then the picture, a new one each time")
  func fetches() async throws {
    let pictures = [Self.picture, Self.drawing(2)]
    let server = try PandaServer(pictures: pictures)
    defer { server.stop() }
    let source = await guessed(server.endpoint)
    let seen = Lock<FetchProgress?>(nil)

    let first = try await source.fetchImage { progress in seen.withLock { $0 = progress } }
    let second = try await source.fetchImage { _ in }

    #expect(first.data == pictures[0])
    #expect(first.url == server.server.url("/picture/1"))
    #expect(first.source == "127.0.0.1:\(server.server.port)")
    #expect(second.data == pictures[1])
    #expect(second.url == server.server.url("/picture/2"))
    let size = Self.picture.count
    #expect(
      seen.withLock { $0 }
        == FetchProgress(bytesReceived: size, expectedBytes: size, source: first.source))
    #expect(server.server.counts.connections == 1)
    #expect(
      server.server.requests.map { $0["accept"]?.prefix(6) == "image/" }
        == [false, true, false, true])
  }

  @Test("is read by the same pointers in a test and in a fetch")
  func probed() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let client = HTTPClient.forTests()
    for member in ["url", "image", "link", "loc", "picture", "src", "message"] {
      server.serve("/json", LoopbackResponse(body: #"{"\#(member)": "/wah.jpg", "name": "Wah"}"#))
      server.serve("/wah.jpg", LoopbackResponse(body: Self.picture))
      let description = try #require(
        SourceDescription(guessedFor: server.url("/json").absoluteString))
      let probe = await SourceProbe(description, client: client)
      #expect(probe.usableCount == 1 && probe.picture?.url == server.url("/wah.jpg"))
      let image = try await guessed(server.url("/json")).fetchImage { _ in }
      #expect(image.url == server.url("/wah.jpg") && image.title == "Wah")
    }
    await client.close()
  }

  @Test("reports an error of the service, and recovers")
  func trouble() async throws {
    let server = try PandaServer(pictures: [Self.picture])
    defer { server.stop() }
    let source = await guessed(server.endpoint)
    server.fail(with: LoopbackResponse(status: 503))
    let error = try await failure { try await source.fetchImage { _ in } }
    #expect(error.kind == .status(503, retryAfter: nil))
    server.fail(with: nil)
    #expect(try await source.fetchImage { _ in }.data == Self.picture)
  }

  @Test(
    "reads every answer that names a picture",
    arguments: [
      #"{"url": "/wah.jpg"}"#,
      #"{"url": "/wah.jpg",}"#,
      #"{'url': '/wah.jpg'}"#,
      #"{"width": "640", "height": null, "key": 5, "url": "wah.jpg"}"#,
      #"{"width": -1e999, "height": {}, "key": [], "url": " //127.0.0.1:PORT/wah.jpg ", "x": 1}"#,
      #"{"width": NaN-free, "url": "/wah.jpg"}"#.replacing("NaN-free", with: "1e400"),
      "\u{feff}{\"url\": \"/wah.jpg\"}",
      #"{"url": "http:\/\/127.0.0.1:PORT\/wah.jpg"}"#,
      #"{"url": "\u002fwah.jpg#x"}"#,
    ])
  func tolerates(json: String) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let body = json.replacing("PORT", with: "\(server.port)")
    server.serve("/random/json", LoopbackResponse(body: body))
    server.serve("/wah.jpg", LoopbackResponse(body: Self.picture))
    server.serve("/random/wah.jpg", LoopbackResponse(body: Self.picture))
    let source = await guessed(server.url("/random/json"))
    #expect(try await source.fetchImage { _ in }.data == Self.picture)
  }

  @Test(
    "reports a web page",
    arguments: [
      ("text/html; charset=utf-8", "<!doctype html><title>for sale</title>"),
      ("application/json", " \n\t<html>"), ("application/octet-stream", "\u{feff}<html>"),
      ("Text/HTML", "oh no"),
    ])
  func webPage(type: String, page: String) async throws {
    let (image, server) = try await fetch(Data(page.utf8), type: type)
    let error = #expect(throws: ImageSourceError.self) { try image.get() }
    #expect(error?.kind == .webPage)
    #expect(error?.message == "127.0.0.1:\(server.port) answered with a web page, not JSON")
  }

  @Test("refuses anything but JSON, without crashing", arguments: malformed)
  func refusesMalformed(json: Data) async throws {
    let (image, server) = try await fetch(json)
    let error = #expect(throws: ImageSourceError.self) { try image.get() }
    #expect(error?.kind == .notJSON)
    #expect(server.counts.requests == 1)
  }

  private static let malformed: [Data] = [
    Data(#"{"url": "/wah.jpg""#.utf8), Data(#"{"url": "/wah.jpg"}}"#.utf8),
    Data(#"{"url": "\ud800"}"#.utf8), Data(#"{"url": "\x"}"#.utf8), Data("{".utf8),
    Data("\"".utf8), Data([0]), Data([0xff]), Data([0xff, 0xfe]), Data([0xef, 0xbb, 0xbf]),
    Data(Array("{\"url\": \"/".utf8) + [0xff, 0xfe, 0x80] + Array("\"}".utf8)),
    Data(Array("{\"url\": \"/".utf8) + [0xc0, 0xaf] + Array("\"}".utf8)),
    Data(repeating: UInt8(ascii: "["), count: 1_000_000),
    Data(repeating: 0, count: 100_000),
    Data(String(repeating: #"{"url":"#, count: 100_000).utf8),
  ]

  @Test(
    "refuses JSON without a picture",
    arguments: [
      "{}", "[]", "null", "5", #""wah""#, #"{"url": null}"#, #"{"url": 5}"#, #"{"url": []}"#,
      #"{"url": {}}"#, #"{"url": ""}"#, #"{"url": "  "}"#, #"{"URL": "/wah.jpg"}"#,
      #"[{"url": "/wah.jpg"}]"#, "{\"url\": \"/wah\u{0}.jpg\"}",
      String(repeating: "9", count: 100_000),
    ])
  func refusesOtherShapes(json: String) async throws {
    let (image, _) = try await fetch(Data(json.utf8))
    let error = #expect(throws: ImageSourceError.self) { try image.get() }
    #expect(error?.kind == .noPicture)
  }

  @Test(
    "refuses forbidden picture addresses",
    arguments: [
      ("file:///etc/passwd", .scheme("file")), ("data:image/png;base64,AA", .scheme("data")),
      ("javascript:alert(1)", .scheme("javascript")), ("http://me@a.example/", .credentials),
      ("http://127.0.0.2/", .privateHost), ("http://[::1]/", .privateHost),
      (#"/wah.jpg\u0000"#, .unreadable), (#"/wah\u001b[2J.jpg"#, .unreadable),
      ("/" + String(repeating: "a", count: 100_000), .tooLong(limit: 4096)),
    ] as [(String, HTTPError.AddressProblem)])
  func refusesAddresses(url: String, problem: HTTPError.AddressProblem) async throws {
    let (image, server) = try await fetch(Data(#"{"url": "\#(url)"}"#.utf8))
    let error = #expect(throws: (any Error).self) { try image.get() }
    let refusal = (error as? HTTPError)?.kind
    #expect(refusal == .address(problem) || (error as? ImageSourceError)?.kind == .noPicture)
    #expect(server.counts.requests == 1)
  }

  @Test("decodes UTF-16 or refuses it, but does not crash")
  func utf16() async throws {
    let text = #"{"url": "/wah.jpg"}"#
    let big = Data([0xfe, 0xff] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
    let little = Data([0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    for json in [big, little] {
      let (image, _) = try await fetch(json)
      switch image {
      case .success(let image): #expect(image.data == Self.picture)
      case .failure(let error): #expect(error is ImageSourceError)
      }
    }
  }

  @Test("stops at 1 MB of JSON, and survives a million keys within it")
  func largeJSON() async throws {
    let keys = (0..<60_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
    let (fits, _) = try await fetch(Data("{\(keys), \"url\": \"/wah.jpg\"}".utf8))
    #expect(try fits.get().data == Self.picture)
    let (large, _) = try await fetch(Data(repeating: 0x20, count: (1 << 20) + 1))
    let error = #expect(throws: HTTPError.self) { try large.get() }
    #expect(error?.kind == .tooLarge(limit: 1 << 20))
  }

  @Test("resolves the picture's address against the JSON's final address")
  func redirectedJSON() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/random/json", .redirect(to: "/v2/json"))
    server.serve("/v2/json", LoopbackResponse(body: #"{"url": "wah.jpg"}"#))
    server.serve("/v2/wah.jpg", LoopbackResponse(body: Self.picture))
    let source = await guessed(server.url("/random/json"))
    #expect(try await source.fetchImage { _ in }.url == server.url("/v2/wah.jpg"))
  }

  @Test("stops when it is canceled between or during its requests")
  func cancelled() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/random/json", LoopbackResponse(body: #"{"url": "/never"}"#))
    server.serveRaw("/never") { _, connection in connection.waitUntilClosed() }
    let source = await guessed(server.url("/random/json"))
    let task = Task { try await source.fetchImage { _ in } }
    try await server.wait { $0.requests >= 2 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await server.wait { $0.open == 0 }
  }
}
