import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

/// Problems that must not stop a service for good.
@MainActor
@Suite struct DescribedSourceTroubleTests {
  /// Openverse, with a high rate limit.
  private func description(_ server: ServiceServer) throws -> SourceDescription {
    var description = try server.description("openverse")
    description.limits.requestsPerMinute = 600
    return description
  }

  @Test func `a list whose caller was canceled is kept for the next turn`() async throws {
    try await withServer { server in
      let gate = Gate()
      server.server.serveRaw("/v1/images/") { _, connection in
        _ = connection.wait(for: gate)
        let body = server.response(ServiceAnswers.openverse(["a", "b"])).body
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.send(body)
      }
      let bench = SourceBench()
      let source = bench.source(try server.description("openverse"), server)
      let overtaken = Task { try await source.fetchImage { _ in } }
      try await server.server.wait { $0.requests >= 1 }
      overtaken.cancel()
      await #expect(throws: CancellationError.self) { try await overtaken.value }
      gate.open()
      #expect(try await source.fetchImage { _ in }.title == "Red panda a")
      #expect(server.paths.count { $0 == "/v1/images/" } == 1)
    }
  }

  @Test func `a picture on a dead host does not block further lists`() async throws {
    try await withServer { server in
      server.server.serve("/v1/images/") { request in
        let isFirst = request.target.hasSuffix("page=1")
        return server.response(ServiceAnswers.openverse([isFirst ? "lost" : "b"]))
      }
      server.server.serveRaw("/pictures/lost.png") { _, _ in }
      let source = SourceBench().source(try description(server), server)
      await #expect(throws: HTTPError.self) { try await source.fetchImage { _ in } }
      #expect(try await source.fetchImage { _ in }.title == "Red panda b")
      #expect(server.paths.count { $0 == "/v1/images/" } == 2)
    }
  }

  @Test func `a page that the service no longer has is abandoned`() async throws {
    try await withServer { server in
      server.server.serve("/v1/images/") { request in
        request.target.hasSuffix("page=1")
          ? server.response(ServiceAnswers.openverse(["a"]))
          : LoopbackResponse(status: 404, body: "no such page")
      }
      let bench = SourceBench()
      let source = bench.source(try description(server), server)
      let first = try await source.fetchImage { _ in }
      try await bench.library.noteSeen(
        RemoteImage(
          createdAt: Date(timeIntervalSince1970: 1), url: first.url, width: 1, height: 1,
          dataRepresentation: Attachment(first.data), source: "x"))
      let error = await #expect(throws: HTTPError.self) { try await source.fetchImage { _ in } }
      #expect(error?.status == 404)
      // Starts over: a picture seen before is better than none.
      #expect(try await source.fetchImage { _ in }.title == "Red panda a")
    }
  }

  @Test func `if all were seen, one list is enough for all of its pictures`() async throws {
    try await withServer { server in
      let entries = ["a", "b", "c"].map { #"{"url": "BASE/pictures/\#($0).png"}"# }
      server.serve("/list", json: #"{"photos": [\#(entries.joined(separator: ","))]}"#)
      let description = try SourceDescription(
        JSONValue(members: [
          "name": JSONValue(text: "zoo"), "list": JSONValue(text: "/photos"),
          "picture": JSONValue(text: "/url"),
          "address": JSONValue(text: server.server.url("/list").absoluteString),
        ]))
      let bench = SourceBench()
      let source = bench.source(description, server)
      for _ in 0..<3 {
        let image = try await source.fetchImage { _ in }
        try await bench.library.noteSeen(
          RemoteImage(
            createdAt: Date(timeIntervalSince1970: 1), url: image.url, width: 1, height: 1,
            dataRepresentation: Attachment(image.data), source: "zoo"))
      }
      let before = server.paths.count { $0 == "/list" }
      var again: Set<URL> = []
      for _ in 0..<3 { again.insert(try await source.fetchImage { _ in }.url) }
      #expect(again.count == 3)
      #expect(server.paths.count { $0 == "/list" } == before + 3)
    }
  }

  @Test(arguments: [401, 403])
  func `a host that refuses one picture does not switch its service off`(status: Int) async throws {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["x", "y", "z"]))
      for name in ["x", "y", "z"] {
        server.server.serve("/pictures/\(name).png", LoopbackResponse(status: status, body: "no"))
      }
      server.serve("/random/json", json: #"{"url": "BASE/pictures/x.png"}"#)
      let described = SourceBench().source(try server.description("openverse"), server)
      let club = guessed(server.server.url("/random/json"), client: server.client)
      for source in [described, club] as [any ImageSource] {
        let error = await #expect(throws: ImageSourceError.self) {
          try await source.fetchImage { _ in }
        }
        #expect(error.map { RequestGate.Failure($0) } == .useless)
      }
    }
  }

  @Test func `a service's candidates are discarded when its description changes`() async throws {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["a", "b", "c"]))
      let bench = SourceBench()
      var description = try server.description("openverse")
      #expect(
        try await bench.source(description, server).fetchImage { _ in }.credit == "Grace")
      // The same description after a relaunch: no list is requested.
      _ = try await bench.source(description, server).fetchImage { _ in }
      #expect(server.paths.count { $0 == "/v1/images/" } == 1)
      description.credit = [try #require(JSONPointer("/title"))]
      let image = try await bench.source(description, server).fetchImage { _ in }
      #expect(image.credit == image.title)
      #expect(server.paths.count { $0 == "/v1/images/" } == 2)
    }
  }

  @Test func `a service without lists is asked at each of its addresses in turn`() async throws {
    try await withServer { server in
      for name in ["a", "b"] {
        server.serve("/one/\(name)", json: #"{"url": "BASE/pictures/\#(name).png"}"#)
      }
      let description = try SourceDescription(
        JSONValue(members: [
          "name": JSONValue(text: "zoo"), "picture": JSONValue(text: "/url"),
          "address": JSONValue(
            texts: ["a", "b"].map { server.server.url("/one/\($0)").absoluteString }),
        ]))
      let source = SourceBench().source(description, server)
      var names: [String] = []
      for _ in 0..<4 { names.append(try await source.fetchImage { _ in }.url.lastPathComponent) }
      #expect(names == ["a.png", "b.png", "a.png", "b.png"])
    }
  }

  @Test func `the empty pointer is the whole answer`() async throws {
    try await withServer { server in
      server.serve("/list", json: #"["BASE/pictures/a.png"]"#)
      let description = try SourceDescription(
        JSONValue(members: [
          "name": JSONValue(text: "zoo"), "list": JSONValue(text: ""),
          "picture": JSONValue(text: ""),
          "address": JSONValue(text: server.server.url("/list").absoluteString),
        ]))
      let image = try await SourceBench().source(description, server).fetchImage { _ in }
      #expect(image.url == server.server.url("/pictures/a.png"))
    }
  }
}
