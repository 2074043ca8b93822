import Foundation
import Testing

@testable import PandaCore

@Suite struct RequestGateTests {
  @Test func `three failures in a row make it wait 30 s, doubled at each further one to 15 min`() {
    var gate = RequestGate()
    var now = Duration.seconds(100)
    for _ in 0..<2 { gate.fail(.useless, at: now, jitter: 0) }
    #expect(gate.rest(at: now) == nil)
    var waits: [Duration] = []
    for _ in 0..<8 {
      gate.fail(.useless, at: now, jitter: 0)
      guard let rest = gate.rest(at: now), rest.reason == .failures else { break }
      waits.append(rest.wait)
      now += rest.wait
      #expect(gate.rest(at: now) == nil)
    }
    #expect(waits == [30, 60, 120, 240, 480, 900, 900, 900].map { .seconds($0) })
    gate.succeed()
    gate.fail(.useless, at: now, jitter: 0)
    #expect(gate.rest(at: now) == nil && gate.failures == 1)
  }

  @Test(arguments: [0, 0.5, 0.999])
  func `the jitter shortens a wait by up to a quarter`(jitter: Double) {
    var gate = RequestGate()
    for _ in 0..<3 { gate.fail(.useless, at: .zero, jitter: jitter) }
    #expect(gate.rest(at: .zero)?.wait == .seconds(30) * (1 - 0.25 * jitter))
  }

  @Test func `429 is obeyed at once, and the longer of two waits counts`() {
    var gate = RequestGate()
    gate.fail(.tooMany(wait: .seconds(600)), at: .zero, jitter: 0)
    gate.fail(.tooMany(wait: .seconds(5)), at: .zero, jitter: 0)
    #expect(gate.rest(at: .seconds(599)) == RequestGate.Rest(wait: .seconds(1), reason: .request))
    #expect(gate.rest(at: .seconds(600)) == nil)
    gate = RequestGate()
    gate.fail(.tooMany(wait: nil), at: .seconds(700), jitter: 0)
    #expect(gate.rest(at: .seconds(700))?.wait == .seconds(30))
  }

  @Test func `a host that always asks for no wait still backs off`() {
    var gate = RequestGate()
    for _ in 0..<3 { gate.fail(.tooMany(wait: .zero), at: .zero, jitter: 0) }
    #expect(gate.rest(at: .seconds(29)) == RequestGate.Rest(wait: .seconds(1), reason: .failures))
    gate.fail(.tooMany(wait: .zero), at: .seconds(30), jitter: 0)
    #expect(gate.rest(at: .seconds(89))?.wait == .seconds(1))
  }

  @Test func `success resets failures, but not the wait that was asked for`() {
    var gate = RequestGate()
    for _ in 0..<3 { gate.fail(.useless, at: .zero, jitter: 0) }
    gate.fail(.resting(.seconds(90)), at: .zero, jitter: 0)
    #expect(gate.rest(at: .zero)?.reason == .limit)
    gate.obey(.seconds(60), at: .zero)
    gate.succeed()
    gate.fail(.resting(.seconds(90)), at: .zero, jitter: 0)
    #expect(gate.failures == 0)
    #expect(gate.rest(at: .seconds(59)) == RequestGate.Rest(wait: .seconds(1), reason: .request))
  }

  @Test func `401 and 403 switch it off until the next start; the network does not count`() {
    var gate = RequestGate()
    for _ in 0..<9 { gate.fail(.offline, at: .zero, jitter: 0) }
    #expect(gate == RequestGate())
    gate.fail(.refused, at: .zero, jitter: 0)
    gate.fail(.tooMany(wait: .seconds(1)), at: .zero, jitter: 0)
    #expect(gate.rest(at: .seconds(1_000_000))?.reason == .refusal)
  }

  @Test func `a burst of requests is allowed, then the rate per minute`() {
    var gate = RequestGate()
    for _ in 0..<10 { #expect(gate.request(perMinute: 60, at: .zero) == nil) }
    let interval = Duration.seconds(60) / 51
    #expect(gate.request(perMinute: 60, at: .zero) == interval)
    #expect(gate.request(perMinute: 60, at: .milliseconds(500)) == interval - .milliseconds(500))
    gate.takeBackRequest(perMinute: 60)
    #expect(gate.request(perMinute: 60, at: .milliseconds(500)) == nil)
    for limit in [2, 3, 8, 30, 60, 600] {
      var gate = RequestGate()
      var made: [Int] = []
      for tenth in 0..<1_200 {
        while gate.request(perMinute: limit, at: .milliseconds(100 * tenth)) == nil {
          made.append(tenth)
        }
      }
      // No minute has more, and few have less.
      let most = (0..<600).map { start in made.count { (start..<start + 600).contains($0) } }.max()
      #expect(most == limit, "\(limit): \(most ?? 0)")
    }
  }

  @Test func `the hourly limit on lists is kept`() {
    var gate = RequestGate()
    #expect(gate.requestList(perHour: 2, at: .zero) == nil)
    #expect(gate.requestList(perHour: 2, at: .seconds(600)) == nil)
    #expect(gate.requestList(perHour: 2, at: .seconds(600)) == .seconds(3000))
    gate.takeBackList()
    #expect(gate.requestList(perHour: 2, at: .seconds(700)) == nil)
    #expect(gate.requestList(perHour: 2, at: .seconds(3600)) == nil)
    #expect(gate.requestList(perHour: 2, at: .seconds(3600)) == .seconds(700))
  }

  @Test(
    arguments: [
      (HTTPError(.hostNotFound, host: "a"), .offline),
      (HTTPError(.unreachable, host: "a"), .offline),
      (ImageSourceError(.unreachable, host: ""), .offline),
      (HTTPError(.status(401, retryAfter: nil), host: "a"), .refused),
      (HTTPError(.status(403, retryAfter: .seconds(9)), host: "a"), .refused),
      (
        HTTPError(.status(429, retryAfter: .seconds(9)), host: "a"),
        .tooMany(wait: .seconds(9))
      ),
      (HTTPError(.status(429, retryAfter: nil), host: "a"), .tooMany(wait: nil)),
      (
        HTTPError(.status(503, retryAfter: .seconds(9)), host: "a"),
        .tooMany(wait: .seconds(9))
      ),
      (HTTPError(.status(500, retryAfter: nil), host: "a"), .useless),
      (HTTPError(.connectionRefused, host: "a"), .useless),
      (ImageSourceError(.webPage, host: "a"), .useless),
      (ImageSourceError(.resting(.seconds(3)), host: "a"), .resting(.seconds(3))),
    ] as [(any Error, RequestGate.Failure)])
  func `errors are classified`(error: any Error, failure: RequestGate.Failure) {
    #expect(RequestGate.Failure(error) == failure)
  }
}
