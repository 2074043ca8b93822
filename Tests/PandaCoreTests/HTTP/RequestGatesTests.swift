import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

@Suite("A host that asked to wait")
struct RequestGatesTests {
  private let directory = TemporaryDirectory()
  private let clock = SettableClock()

  /// The gates of a launch.
  private func gates() -> RequestGates {
    let start = clock.now
    return RequestGates(
      in: StorageDirectory(url: directory.url),
      timer: MonotonicTimer(
        now: { [clock] in .seconds(clock.now.timeIntervalSince(start)) }, sleep: { _ in }),
      now: { [clock] in clock.now })
  }

  private func client() -> HTTPClient {
    HTTPClient(userAgent: "panda/test", limits: .patient, environment: [:], gates: gates())
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
    let gates = gates()
    await gates.obey(HTTPError(.status(429, retryAfter: .seconds(3_600)), host: "first"))
    for number in 1...150 {
      await gates.obey(HTTPError(.status(429, retryAfter: .seconds(60)), host: "\(number)"))
    }
    #expect(gates.open("first") { $0.requestedRest(at: $1) } == .seconds(3_600))
    #expect(gates.open("150") { $0.requestedRest(at: $1) } == .seconds(60))
  }

  @Test("is spared although the file of such hosts was damaged (fault 22)")
  func afterDamage() async throws {
    await gates().obey(HTTPError(.status(429, retryAfter: .seconds(60)), host: "a"))
    let name = try #require(
      FileManager.default.subpathsOfDirectory(atPath: directory.url.path).first {
        $0.hasSuffix("host_waits.json")
      })
    let file = directory.url.appending(path: name)
    try Data("x".utf8).write(to: file)
    await gates().obey(HTTPError(.status(429, retryAfter: .seconds(60)), host: "b"))
    #expect(gates().open("b") { $0.requestedRest(at: $1) } == .seconds(60))
    #expect(try Data(contentsOf: file.appendingPathExtension("corrupt")) == Data("x".utf8))
  }

  @Test("is spared for half a minute if it does not say how long")
  func withoutTime() async throws {
    let gates = gates()
    await gates.obey(HTTPError(.status(429, retryAfter: nil), host: "a"))
    await gates.obey(HTTPError(.status(503, retryAfter: nil), host: "b"))
    await gates.obey(HTTPError(.status(403, retryAfter: .seconds(9)), host: "c"))
    #expect(
      ["a", "b", "c"].map { gates.open($0) { $0.requestedRest(at: $1) } } == [
        .seconds(30), nil, nil,
      ])
  }

  @Test("is obeyed for a day, over relaunches (fault 102)")
  func overRelaunches() async {
    let stored = HTTPError(.status(503, retryAfter: .seconds(86_400)), host: "a")
    // It is kept when this returns.
    await gates().obey(stored)
    pass(86_399)
    #expect(gates().open("a") { $0.requestedRest(at: $1) } == .seconds(1))
    pass(1)
    #expect(gates().open("a") { $0.requestedRest(at: $1) } == nil)
  }

  @Test("waits 15 minutes at most after the clock was set back (fault 102)")
  func clockSetBack() async {
    let before = gates()
    await before.obey(HTTPError(.status(429, retryAfter: .seconds(86_400)), host: "a"))
    await before.obey(HTTPError(.status(429, retryAfter: .seconds(60)), host: "b"))
    for _ in 0..<2 {
      #expect(before.open("c", keeping: true) { $0.requestList(perHour: 2, at: $1) } == nil)
    }
    pass(-400 * 86_400)
    let gates = gates()
    #expect(gates.open("a") { $0.requestedRest(at: $1) } == .seconds(900))
    #expect(gates.open("b") { $0.requestedRest(at: $1) } == .seconds(60))
    #expect(gates.open("c", keeping: true) { $0.requestList(perHour: 2, at: $1) } == .seconds(900))
    pass(899)
    #expect(gates.open("a") { $0.requestedRest(at: $1) } == .seconds(1))
    pass(1)
    #expect(gates.open("a") { $0.requestedRest(at: $1) } == nil)
    #expect(gates.open("c", keeping: true) { $0.requestList(perHour: 2, at: $1) } == nil)
  }

  @Test("of lists is kept over relaunches")
  func listsOverRelaunches() {
    for _ in 0..<3 {
      #expect(gates().open("a", keeping: true) { $0.requestList(perHour: 3, at: $1) } == nil)
    }
    pass(600)
    #expect(
      gates().open("a", keeping: true) { $0.requestList(perHour: 3, at: $1) } == .seconds(3000))
    gates().open("a", keeping: true) { gate, _ in gate.takeBackList() }
    #expect(gates().open("a", keeping: true) { $0.requestList(perHour: 3, at: $1) } == nil)
  }
}
