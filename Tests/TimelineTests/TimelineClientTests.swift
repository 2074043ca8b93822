import Foundation
import PandaTestSupport
import Testing

@testable import timeline

@Suite struct TimelineClientTests {
  @Test func `the client gets the server's data`() async throws {
    let server = try TimelineServer()
    defer { server.stop() }
    let client = TimelineClient(port: server.port)
    #expect(try await client.timeline() == .seed)
    var post = Page.seed.posts[0]
    post.setFavorite(true)
    for _ in 0..<2 { #expect(try await client.setFavorite(true, post: "5") == post) }
    #expect(try await client.post("5") == post)
    #expect(try await client.setFavorite(false, post: "5") == Page.seed.posts[0])
    #expect(try await client.rename("ruo", to: "Ru\"o 🍎").name == "Ru\"o 🍎")
    #expect(try await client.author("ruo").name == "Ru\"o 🍎")
  }

  @Test func `concurrent requests are answered`() async throws {
    let server = try TimelineServer()
    defer { server.stop() }
    let client = TimelineClient(port: server.port)
    try await withThrowingTaskGroup(of: Page.self) { group in
      for _ in 0..<50 { group.addTask { try await client.timeline() } }
      for try await page in group { #expect(page == .seed) }
    }
  }

  @Test func `a refusal has the server's reason`() async throws {
    let server = try TimelineServer()
    defer { server.stop() }
    let client = TimelineClient(port: server.port)
    for path in ["absent", "5/6", "../timeline"] {
      await #expect(throws: ClientError.refused("there is no such thing")) {
        _ = try await client.post(path)
      }
    }
    await #expect(throws: ClientError.refused("a name has letters")) {
      _ = try await client.rename("mei", to: "")
    }
    server.isOutOfOrder = true
    await #expect(throws: ClientError.refused("the server is out of order")) {
      _ = try await client.timeline()
    }
  }

  @Test func `a missing server and a wrong server are errors`() async throws {
    let port = try closedPort()
    await #expect(throws: ClientError.unreachable("connect: Connection refused")) {
      _ = try await TimelineClient(port: port).timeline()
    }
    let server = try TimelineServer()
    let stopped = TimelineClient(port: server.port)
    server.stop()
    try await eventually("it has stopped") {
      do {
        _ = try await stopped.timeline()
        return false
      } catch { return error is ClientError }
    }
  }

  @Test func `a malformed message is distinguished from an incomplete one`() throws {
    for text in ["\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"] {
      #expect(throws: HTTPError.malformed) { try HTTPMessage(head: Data(text.utf8)) }
    }
    #expect(try HTTPMessage(head: Data("GET / HTTP/1.1\r\n".utf8)) == nil)
    let message = try #require(
      try HTTPMessage(head: Data("GET / HTTP/1.1\r\ncontent-length: 12\r\n\r\n".utf8)))
    #expect(message.bodyLength == 12)
    #expect(message.headLength == 38)
  }

  @Test func `keys are recognized in the bytes of a terminal`() {
    #expect(
      Key.keys(in: Array("jé\r\u{7f}\u{1b}[A\u{1b}OB\u{1b}[1;5Cq\u{3}\u{1b}".utf8)) == [
        .character("j"), .character("é"), .enter, .backspace, .up, .down, .character("q"),
        .interrupt, .escape,
      ])
  }
}
