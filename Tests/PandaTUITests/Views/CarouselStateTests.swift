import Testing

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

  @Test func `the newest is selected at first, and nothing where there is nothing`() {
    #expect(carousel("abc").selection == "a")
    #expect(carousel("").selection == nil)
    #expect(carousel("").selectedIndex == nil)
  }

  @Test func `who looks at the newest goes on looking at the newest`() {
    var state = carousel("bc")
    state.update(["a", "b", "c"])
    #expect(state.selection == "a")
  }

  @Test func `who looks at another keeps it while others come and go`() {
    var state = carousel("bcd", selecting: "c")
    state.update(["a", "b", "c", "d"])
    #expect(state.selection == "c")
    state.update(["a", "c"])
    #expect(state.selection == "c")
  }

  @Test func `when the selected one goes, its neighbour is selected`() {
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

  @Test func `what is not there cannot be selected`() {
    var state = carousel("abc")
    state.select("x")
    #expect(state.selection == "a")
  }
}
