import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

@Suite("A host that asked to wait")
struct HostWaitsTests {
  private let directory = TemporaryDirectory()
  private let clock = SettableClock()

  private func waits() -> HostWaits {
    HostWaits(in: StorageDirectory(url: directory.url)) { [clock] in clock.now }
  }

  private func client() -> HTTPClient {
    HTTPClient(userAgent: "panda/test", limits: .patient, environment: [:], waits: waits())
  }

  private func pass(_ seconds: Double) { clock.now += seconds }

  @Test("is sent nothing meanwhile, by any client (fault 102)")
  func isSpared() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", LoopbackResponse(status: 429, fields: [("Retry-After", "20")]))
    for _ in 0..<10 {
      let client = client()
      _ = try await failure { try await client.get(server.request("/")) }
      let error = try await failure { try await client.get(server.request("/other")) }
      #expect(error.kind == .resting(.seconds(20)) && error.isUnsent && !error.isOffline)
      await client.close()
    }
    #expect(server.counts.requests == 1)
    server.serve("/", LoopbackResponse(body: "x"))
    pass(20)
    _ = try await client().get(server.request("/"))
  }

  @Test("is spared however many others ask for it")
  func amongMany() async {
    let waits = waits()
    await waits.note(HTTPError(.status(429, retryAfter: .seconds(3_600)), host: "first"))
    for number in 1...150 {
      await waits.note(HTTPError(.status(429, retryAfter: .seconds(60)), host: "\(number)"))
    }
    #expect(waits.rest(of: "first") == .seconds(3_600))
    #expect(waits.rest(of: "150") == .seconds(60))
  }

  @Test("is spared for half a minute if it does not say how long")
  func withoutTime() async throws {
    let waits = waits()
    await waits.note(HTTPError(.status(429, retryAfter: nil), host: "a"))
    await waits.note(HTTPError(.status(503, retryAfter: nil), host: "b"))
    await waits.note(HTTPError(.status(403, retryAfter: .seconds(9)), host: "c"))
    #expect(["a", "b", "c"].map { waits.rest(of: $0) } == [.seconds(30), nil, nil])
  }

  @Test("is obeyed for a day, over relaunches (fault 102)")
  func overRelaunches() async {
    let stored = HTTPError(.status(503, retryAfter: .seconds(86_400)), host: "a")
    // It is kept when this returns.
    await waits().note(stored)
    pass(86_399)
    #expect(waits().rest(of: "a") == .seconds(1))
    pass(1)
    #expect(waits().rest(of: "a") == nil)
  }

  @Test("waits 15 minutes at most after the clock was set back (fault 102)")
  func clockSetBack() async {
    let waits = waits()
    await waits.note(HTTPError(.status(429, retryAfter: .seconds(86_400)), host: "a"))
    await waits.note(HTTPError(.status(429, retryAfter: .seconds(60)), host: "b"))
    pass(-400 * 86_400)
    #expect(waits.rest(of: "a") == .seconds(900))
    #expect(waits.rest(of: "b") == .seconds(60))
    pass(899)
    #expect(waits.rest(of: "a") == .seconds(1))
    pass(1)
    #expect(waits.rest(of: "a") == nil)
  }
}
