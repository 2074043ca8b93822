import Foundation
import Testing

@testable import PandaCore

@Suite struct SourceHealthTests {
  @Test func `three failures in a row make it wait 30 s, doubled at each further one to 15 min`() {
    var health = SourceHealth()
    var now = Duration.seconds(100)
    for _ in 0..<2 { health.fail(.useless, at: now, jitter: 0) }
    #expect(health.state(at: now) == .ready)
    var waits: [Int64] = []
    for _ in 0..<8 {
      health.fail(.useless, at: now, jitter: 0)
      guard case .waiting(let end) = health.state(at: now) else { break }
      waits.append((end - now).components.seconds)
      now = end
      #expect(health.state(at: now) == .ready)
    }
    #expect(waits == [30, 60, 120, 240, 480, 900, 900, 900])
    health.succeed()
    #expect(health == SourceHealth())
  }

  @Test(arguments: [0, 0.5, 0.999])
  func `the jitter shortens a wait by up to a quarter`(jitter: Double) {
    var health = SourceHealth()
    for _ in 0..<3 { health.fail(.useless, at: .zero, jitter: jitter) }
    #expect(health.state(at: .zero) == .waiting(until: .seconds(30) * (1 - 0.25 * jitter)))
  }

  @Test func `an answer between failures resets the count`() {
    var health = SourceHealth()
    for _ in 0..<5 {
      health.fail(.useless, at: .zero, jitter: 0)
      health.fail(.useless, at: .zero, jitter: 0)
      health.succeed()
    }
    #expect(health.state(at: .zero) == .ready)
  }

  @Test func `429 is obeyed at once, and the longer of two waits counts`() {
    var health = SourceHealth()
    health.fail(.tooMany(wait: .seconds(600)), at: .zero, jitter: 0)
    health.fail(.tooMany(wait: .seconds(5)), at: .zero, jitter: 0)
    #expect(health.state(at: .seconds(599)) == .waiting(until: .seconds(600)))
    #expect(health.state(at: .seconds(600)) == .ready)
    health.fail(.tooMany(wait: nil), at: .seconds(700), jitter: 0)
    #expect(health.state(at: .seconds(700)) == .waiting(until: .seconds(730)))
  }

  @Test func `a source that always asks for no wait still backs off`() {
    var health = SourceHealth()
    for _ in 0..<3 { health.fail(.tooMany(wait: .zero), at: .zero, jitter: 0) }
    #expect(health.state(at: .seconds(29)) == .waiting(until: .seconds(30)))
    health.fail(.tooMany(wait: .zero), at: .seconds(30), jitter: 0)
    #expect(health.state(at: .seconds(89)) == .waiting(until: .seconds(90)))
  }

  @Test func `enabling it again resets failures, but not the wait that it asked for`() {
    var health = SourceHealth()
    for _ in 0..<3 { health.fail(.useless, at: .zero, jitter: 0) }
    health.forgive()
    #expect(health == SourceHealth())
    health.fail(.tooMany(wait: .seconds(60)), at: .zero, jitter: 0)
    health.forgive()
    #expect(health.failures == 0)
    #expect(health.state(at: .seconds(59)) == .waiting(until: .seconds(60)))
  }

  @Test func `401 and 403 switch it off until the next start; the network does not count`() {
    var health = SourceHealth()
    for _ in 0..<9 { health.fail(.offline, at: .zero, jitter: 0) }
    #expect(health.state(at: .zero) == .ready)
    health.fail(.refused, at: .zero, jitter: 0)
    health.fail(.tooMany(wait: .seconds(1)), at: .zero, jitter: 0)
    #expect(health.state(at: .seconds(1_000_000)) == .off)
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
    ] as [(any Error, SourceHealth.Failure)])
  func `errors are classified`(error: any Error, failure: SourceHealth.Failure) {
    #expect(SourceHealth.Failure(error) == failure)
  }
}

@Suite struct WeightedRotationTests {
  @Test func `each has as many turns as its weight, evenly`() {
    var rotation = WeightedRotation([("a", 3), ("b", 2), ("c", 1), ("d", 0)])
    let all: Set<String> = ["a", "b", "c", "d"]
    let turns = (0..<60).map { _ in rotation.next(among: all)[0] }
    for (name, share) in [("a", 30), ("b", 20), ("c", 10), ("d", 0)] {
      #expect(turns.count { $0 == name } == share)
    }
    // Over any six turns in a row too, whatever they begin with.
    for start in 0..<54 {
      #expect(turns[start..<start + 6].count { $0 == "a" } == 3)
      #expect(turns[start..<start + 6].count { $0 == "c" } == 1)
    }
    #expect(turns.prefix(6) == ["a", "b", "a", "c", "b", "a"])
  }

  @Test func `the others follow by accumulated credit, reserves last`() {
    var rotation = WeightedRotation([("d", 0), ("a", 1), ("b", 1), ("c", 1), ("e", 0)])
    #expect(rotation.next(among: ["a", "b", "c", "d", "e"]) == ["a", "b", "c", "d", "e"])
    #expect(rotation.next(among: ["a", "b", "c", "d", "e"]) == ["b", "c", "a", "d", "e"])
    #expect(rotation.next(among: ["d", "e"]) == ["d", "e"])
    #expect(rotation.next(among: []) == [])
  }

  @Test func `one that cannot take its turn does not accumulate a hundred`() {
    var rotation = WeightedRotation([("a", 1), ("b", 1)])
    for _ in 0..<100 { #expect(rotation.next(among: ["a"]) == ["a"]) }
    let turns = (0..<10).map { _ in rotation.next(among: ["a", "b"])[0] }
    #expect(turns.count { $0 == "b" } == 5)
  }
}

@Suite struct RequestBudgetTests {
  @Test func `a burst is allowed, then the rate per minute`() {
    var budget = RequestBudget(perMinute: 60)
    for _ in 0..<10 { #expect(budget.take(at: .zero) == .zero) }
    #expect(budget.take(at: .zero) == .seconds(1))
    #expect(budget.take(at: .milliseconds(500)) == .milliseconds(500))
    #expect(budget.take(at: .seconds(1)) == .zero)
    #expect(budget.take(at: .seconds(1)) > .zero)
    var made = 0
    for second in 2...121 where budget.take(at: .seconds(second)) == .zero { made += 1 }
    #expect(made == 120)
  }

  @Test func `time that stops or goes back adds no tokens`() {
    var budget = RequestBudget(perMinute: 1)
    #expect(budget.take(at: .seconds(9)) == .zero)
    #expect(budget.take(at: .seconds(9)) == .zero)
    #expect(budget.take(at: .seconds(9)) == .seconds(60))
    #expect(budget.take(at: .seconds(3)) == .seconds(60))
  }
}
