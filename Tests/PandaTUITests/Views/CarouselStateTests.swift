import Testing

@testable import PandaSession
@testable import PandaTUI

@Suite struct CarouselStateTests {
  var state = CarouselState()

  func carousel(_ ids: String, selecting selection: String? = nil, capacity: Int = 3)
    -> CarouselState
  {
    var state = CarouselState()
    state.resize(capacity: capacity)
    state.update(ids.map(String.init))
    if let selection { state.select(selection) }
    return state
  }

  @Test func `the newest is selected at first, and nothing in an empty carousel`() {
    #expect(carousel("abc").selection == "a")
    #expect(carousel("").selection == nil)
    #expect(carousel("").selectedIndex == nil)
  }

  @Test func `the selection follows the newest item`() {
    var state = carousel("bc")
    state.update(["a", "b", "c"])
    #expect(state.selection == "a")
  }

  @Test func `any other selection stays while items are added and removed`() {
    var state = carousel("bcd", selecting: "c")
    state.update(["a", "b", "c", "d"])
    #expect(state.selection == "c")
    state.update(["a", "c"])
    #expect(state.selection == "c")
  }

  @Test func `removing the selected item selects its neighbor`() {
    var state = carousel("abcd", selecting: "b")
    state.update(["a", "c", "d"])
    #expect(state.selection == "c")
    state.select("d")
    state.update(["a", "c"])
    #expect(state.selection == "c")
    state.update([])
    #expect(state.selection == nil)
    state.update(["z"])
    #expect(state.selection == "z")
  }

  @Test func `moves stop at the ends`() {
    var state = carousel("abcdef")
    state.move(.left)
    #expect(state.selection == "a")
    state.move(.right)
    #expect(state.selection == "b")
    state.move(.last)
    #expect(state.selection == "f")
    state.move(.right)
    #expect(state.selection == "f")
    state.move(.pageLeft)
    #expect(state.selection == "c")
    state.move(.first)
    state.move(.pageRight)
    #expect(state.selection == "d")
    var empty = carousel("")
    empty.move(.right)
    #expect(empty.selection == nil)
  }

  @Test func `the view scrolls as little as shows the selection, and never past the end`() {
    var state = carousel("abcdef")
    #expect(state.first == 0)
    state.select("d")
    #expect(state.first == 1)
    state.select("b")
    #expect(state.first == 1)
    state.select("a")
    #expect(state.first == 0)
    state.move(.last)
    #expect(state.first == 3)
    state.resize(capacity: 10)
    #expect(state.first == 0)
    state.resize(capacity: 0)
    #expect(state.first == 5)
  }

  @Test func `selecting an absent item changes nothing`() {
    var state = carousel("abc")
    state.select("x")
    #expect(state.selection == "a")
  }

  @Test func `counts multiply moves, and stop at the ends`() {
    var state = carousel("abcdefghij")
    state.move(.right, count: 4)
    #expect(state.selection == "e")
    state.move(.left, count: 3)
    #expect(state.selection == "b")
    state.move(.right, count: 9_999)
    #expect(state.selection == "j")
    state.move(.up)
    #expect(state.selection == "i", "in one row up goes back")
  }

  @Test func `in a grid up and down move by rows, and whole rows scroll`() {
    var state = CarouselState()
    state.update("abcdefghijk".map(String.init))
    state.arrange(GridRows(count: 11, columns: 3), lines: 6, rowLines: 3)
    state.move(.down)
    #expect(state.selection == "d" && state.first == 0)
    state.move(.down)
    #expect(state.selection == "g" && state.first == 3)
    state.move(.right)
    state.move(.up, count: 2)
    #expect(state.selection == "b" && state.first == 0)
    state.move(.last)
    #expect(state.selection == "k" && state.first == 6)
    state.move(.pageLeft)
    #expect(state.selection == "e" && state.first == 3)
  }

  @Test func `a section starts a new row, and its title has a line of its own`() {
    var state = CarouselState()
    state.update("abcdefgh".map(String.init))
    let rows = GridRows(
      count: 8, columns: 3,
      sections: [.init(title: "May", count: 4), .init(title: "April", count: 4)])
    #expect(rows.rows.map(\.items) == [0..<3, 3..<4, 4..<7, 7..<8])
    #expect(rows.rows.map(\.title) == ["May", nil, "April", nil])
    #expect((0..<8).map(rows.row) == [0, 0, 0, 1, 2, 2, 2, 3])
    // Two rows of three lines and a title fit into seven lines, but not two with a title each.
    state.arrange(rows, lines: 7, rowLines: 3)
    state.select("c")
    state.move(.down)
    #expect(state.selection == "d" && state.first == 0, "the short row has its last one")
    state.move(.down)
    #expect(state.selection == "e" && state.first == 3)
    state.move(.last)
    #expect(state.selection == "h" && state.first == 4)
    state.move(.up, count: 9)
    #expect(state.selection == "b" || state.selection == "a")
    #expect(state.first == 0)
  }

  @Test func `the last rows fill the view, and rows that are too high are shown one at a time`() {
    var state = CarouselState()
    state.update((0..<30).map(String.init))
    state.arrange(GridRows(count: 30, columns: 4), lines: 9, rowLines: 3)
    state.move(.last)
    #expect(state.first == 20)
    state.arrange(GridRows(count: 30, columns: 4), lines: 2, rowLines: 3)
    #expect(state.first == 28)
    state.arrange(GridRows(count: 0, columns: 4), lines: 2, rowLines: 3)
    state.update([])
    #expect(state.first == 0 && state.selection == nil)
  }

  @Test func `moving through ten thousand items is as fast as through ten`() {
    var state = CarouselState()
    state.update((0..<10_000).map(String.init))
    state.resize(capacity: 6)
    for _ in 0..<20_000 { state.move(.right) }
    #expect(state.selection == "9999")
    #expect(state.first == 9_994)
  }
}
