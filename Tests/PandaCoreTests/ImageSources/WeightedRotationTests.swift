import Testing

@testable import PandaCore

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
