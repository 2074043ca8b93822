import Testing

@testable import PandaTUI

@Suite struct SlidingRowTests {
  static let start = Duration.seconds(10)
  static let end = start + SlidingRow.duration

  func row(_ places: [(id: String, column: Int)]) -> SlidingRow {
    var row = SlidingRow()
    row.follow(places, at: .zero, animates: true)
    return row
  }

  @Test func `the first items appear in place, without motion`() {
    let row = row([("a", 0), ("b", 10)])
    #expect(!row.isMoving(at: .zero))
    #expect(row.offset(of: "b", at: .zero) == 0)
  }

  @Test func `a new first item pushes the others along`() {
    var row = row([("a", 0), ("b", 10)])
    row.follow([("new", 0), ("a", 10), ("b", 20)], at: Self.start, animates: true)
    // Nothing jumps: each is where it was, and the new one at the left of all.
    for id in ["a", "b", "new"] { #expect(row.offset(of: id, at: Self.start) == -10) }
    let middle = Self.start + SlidingRow.duration / 2
    #expect((-9...(-1)).contains(row.offset(of: "a", at: middle)))
    #expect(row.isMoving(at: middle))
    #expect(row.offset(of: "a", at: Self.end) == 0)
    #expect(!row.isMoving(at: Self.end))
  }

  @Test func `the gap of a removed one closes`() {
    var row = row([("a", 0), ("b", 10), ("c", 20)])
    row.follow([("a", 0), ("c", 10)], at: Self.start, animates: true)
    #expect(row.offset(of: "a", at: Self.start) == 0)
    #expect(row.offset(of: "c", at: Self.start) == 10)
    #expect(row.offset(of: "b", at: Self.start) == 0)
  }

  @Test func `a second change continues from the current positions`() {
    var row = row([("a", 0)])
    row.follow([("a", 100)], at: Self.start, animates: true)
    let middle = Self.start + SlidingRow.duration / 2
    let place = 100 + row.offset(of: "a", at: middle)
    row.follow([("a", 200)], at: middle, animates: true)
    #expect(200 + row.offset(of: "a", at: middle) == place)
  }

  @Test func `the motion never overshoots, and gets closer with every frame`() {
    var row = row([("a", 0)])
    row.follow([("a", 60)], at: .zero, animates: true)
    let offsets = (0...20).map { row.offset(of: "a", at: SlidingRow.duration * $0 / 20) }
    #expect(offsets.first == -60 && offsets.last == 0)
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func `without motion everything is in place at once`() {
    var row = row([("a", 0), ("b", 10)])
    row.follow([("b", 0)], at: Self.start, animates: false)
    #expect(row.offset(of: "b", at: Self.start) == 0)
    #expect(!row.isMoving(at: Self.start))
  }
}
