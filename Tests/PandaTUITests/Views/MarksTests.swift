import Testing

@testable import PandaTUI

@Suite struct MarksTests {
  let list = "abcdef".map(String.init)

  @Test func `marking again unmarks, after completing a partial selection`() {
    var marks = Marks()
    marks.toggle(["a"])
    #expect(marks.ids == ["a"])
    marks.toggle(["a", "b"])
    #expect(marks.ids == ["a", "b"])
    marks.toggle(["a", "b"])
    #expect(marks.isEmpty)
  }

  @Test func `removed items lose their marks, and others keep theirs`() {
    var marks = Marks()
    marks.toggle(["a", "b", "c"])
    marks.remove(["b", "c", "d"])
    #expect(marks.ids == ["a"])
  }

  @Test func `a range goes from the last mark to the other end, in both directions`() {
    var marks = Marks()
    marks.toggle(["e"])
    marks.extend(to: "c", in: list)
    #expect(marks.ids == ["c", "d", "e"])
    marks.extend(to: "a", in: list)
    #expect(marks.ids == ["a", "b", "c", "d", "e"])
  }

  @Test func `a range whose start is absent marks one item`() {
    var marks = Marks()
    marks.extend(to: "b", in: list)
    #expect(marks.ids == ["b"])
    marks.toggle(["x"])
    marks.extend(to: "d", in: list)
    #expect(marks.contains("d") && !marks.contains("c"))
    marks.extend(to: "not there", in: list)
    marks.clear()
    #expect(marks.isEmpty && !marks.contains("b"))
  }
}
