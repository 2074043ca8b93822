import PandaTestSupport
import Testing

@testable import PandaCore

/// The rule by which favorites come back.
@Suite struct FavoriteQueueTests {
  /// A number of favorites, and the author of each.
  struct Case: CustomTestStringConvertible, Sendable {
    let count: Int
    let name: String
    let author: @Sendable (Int) -> Int
    var testDescription: String { "\(count) favorites, \(name)" }
  }

  static let cases =
    [1, 2, 3, 12, 1_000].map { count in
      Case(count: count, name: "evenly by authors") { $0 % max(1, min(50, count / 3)) }
    } + [Case(count: 1_000, name: "80 % by one author") { $0 % 5 == 0 ? $0 : 0 }]

  static func entries(_ tested: Case) -> [FavoriteQueue.Entry] {
    (0..<tested.count).map { number in
      FavoriteQueue.Entry(
        place: number,
        traits: FavoriteQueue.Traits(
          author: UInt32(tested.author(number)), source: UInt32(number % 7),
          day: UInt32(number % 90)),
        turn: nil)
    }
  }

  /// Draws so many, each from what is known of all favorites then, as the program does.
  static func draws(
    _ count: Int, of entries: [FavoriteQueue.Entry], after turn: Int = 0, seed: UInt64
  ) -> [FavoriteQueue.Entry] {
    var generator = SplitMix64(seed: seed)
    var (entries, last) = (entries, FavoriteQueue.Traits?.none)
    return (turn..<turn + count).compactMap { turn in
      var queue = FavoriteQueue(entries, turn: turn, last: last)
      guard let entry = queue.next(using: &generator) else { return nil }
      last = entry.traits
      entries.removeAll { $0.place == entry.place }
      entries.append(.init(place: entry.place, traits: entry.traits, turn: turn + 1))
      return entry
    }
  }

  @Test(arguments: cases, [1, 2, 3] as [UInt64])
  func `none comes back early, none is left, and the next one is another's`(
    _ tested: Case, _ seed: UInt64
  ) throws {
    let entries = Self.entries(tested)
    let n = tested.count
    let drawn = Self.draws(2_000, of: entries, seed: seed)
    try #require(drawn.count == 2_000)
    /// The choice by which each was seen; before the first, none was.
    var seen: [Int: Int] = [:]
    var repeats = 0
    for (place, entry) in drawn.enumerated() {
      let turn = place + 1
      if let before = seen[entry.place] {
        #expect(2 * (turn - before) > n, "1: \(entry.place) at \(turn)")
      }
      let left = turn - (seen[entry.place] ?? 0)
      #expect(5 * left <= 6 * n, "2: \(entry.place) at \(turn)")
      if let last = drawn[..<place].last, last.traits.author == entry.traits.author {
        repeats += 1
        // Either it was late, or with those never seen there was just the time left for each, or 1
        // and 2 left no other author.
        let isLate = 5 * (seen[entry.place] == nil ? place + n - seen.count + 1 : left + 1) > 6 * n
        let others = entries.filter { other in
          other.traits.author != last.traits.author
            && seen[other.place].map { 2 * (turn - $0) > n } != false
        }
        #expect(isLate || others.isEmpty, "3: \(entry.place) at \(turn)")
      }
      seen[entry.place] = turn
    }
    #expect(seen.count == n)
    for (id, turn) in seen { #expect(5 * (2_000 - turn) <= 6 * n, "2: \(id) at the end") }
    // Where no author has more than half, of many favorites, the rule never gives way.
    if tested.name == "evenly by authors", n >= 1_000 { #expect(repeats == 0) }
  }

  @Test func `one seed gives one order, and another seed another`() {
    let entries = Self.entries(Self.cases[3])
    let orders = ([1, 1, 2] as [UInt64]).map { seed in
      Self.draws(30, of: entries, seed: seed).map(\.place)
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
    // And no round is that before again.
    #expect(orders.allSatisfy { $0[0..<12] != $0[12..<24] })
  }

  @Test func `all in a row are a permutation, with those seen last at the end`() {
    let entries = Self.entries(Self.cases[3]).enumerated().map { place, entry in
      FavoriteQueue.Entry(
        place: entry.place, traits: entry.traits, turn: place < 6 ? nil : place + 100)
    }
    for seed in 1...5 as ClosedRange<UInt64> {
      var generator = SplitMix64(seed: seed)
      var queue = FavoriteQueue(entries, turn: 111, last: entries[11].traits)
      let ids = (0..<12).compactMap { _ in queue.next(using: &generator)?.place }
      #expect(Set(ids) == Set(entries.map(\.place)))
      #expect(Set(ids.prefix(6)) == Set(entries.prefix(6).map(\.place)))
      #expect(queue.next(using: &generator) == nil)
    }
  }

  @Test func `of many that are late after others were removed, each comes once`() {
    var entries = Self.entries(Self.cases[3])
    entries = entries.enumerated().map { place, entry in
      FavoriteQueue.Entry(place: entry.place, traits: entry.traits, turn: place * 50)
    }
    let first = Self.draws(12, of: entries, after: 1_000, seed: 1)
    #expect(Set(first.map(\.place)).count == 12)
  }
}
