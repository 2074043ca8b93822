import Testing

@testable import PandaTUI
@testable import TerminalKit

/// The keys and clicks of `panda pick`.
@Suite struct PickModelTests {
  private let surroundings = PickModel.Surroundings(
    keys: .standard.forPicking, filterText: "", moment: .zero,
    picture: { $0.row == 1 ? "picture \($0.column / 10)" : nil }, hint: { _ in nil })

  @Test(arguments: [
    (Key.enter, PickModel.Request.choose), (.character(" "), .mark(count: 1)),
    (.character("M"), .markRange), (.character("*"), .markAll), (.escape, .cancel),
    (.character("q"), .leave), (.character("j"), .move(.down, count: 1)),
    (.character("+"), .resize(by: 1)), (.control("l"), .redraw), (.control("z"), .suspend),
  ])
  func `a key is a request`(_ key: Key, _ request: PickModel.Request) {
    var model = PickModel(takesOne: false)
    #expect(model.handle(key, in: surroundings) == [request])
  }

  @Test func `a count repeats, and Esc only ends it`() {
    var model = PickModel(takesOne: false)
    #expect(model.handle(.character("3"), in: surroundings).isEmpty)
    #expect(model.handle(.character("l"), in: surroundings) == [.move(.right, count: 3)])
    _ = model.handle(.character("3"), in: surroundings)
    #expect(model.handle(.escape, in: surroundings).isEmpty)
    #expect(model.handle(.escape, in: surroundings) == [.cancel])
  }

  @Test func `commands that change favorites do nothing here`() {
    for key in ["x", "c", "t", "f", "C", "u", "X"].map(Character.init) {
      var model = PickModel(takesOne: false)
      #expect(model.handle(.character(key), in: surroundings).isEmpty)
    }
  }

  @Test func `choosing one picture disables marks, with a reason`() {
    var model = PickModel(takesOne: true)
    #expect(model.handle(.character(" "), in: surroundings).isEmpty)
    #expect(model.message != nil)
    #expect(model.handle(.enter, in: surroundings) == [.choose])
    #expect(model.message == nil)
  }

  @Test func `keys of the filter are text`() {
    var model = PickModel(takesOne: false)
    #expect(model.handle(.character("/"), in: surroundings).isEmpty)
    #expect(model.handle(.character("q"), in: surroundings) == [.filter("q")])
    #expect(model.paste(" and") == [.filter("q and")])
    #expect(model.handle(.enter, in: surroundings).isEmpty && model.filterField == nil)
    _ = model.handle(.character("/"), in: surroundings)
    #expect(model.handle(.escape, in: surroundings) == [.filter("")])
  }

  @Test func `the help lists the keys, and Enter runs one`() {
    var model = PickModel(takesOne: false)
    #expect(model.handle(.character("?"), in: surroundings).isEmpty && model.help != nil)
    // A letter filters the list, so it moves nothing in the grid.
    #expect(model.handle(.character("j"), in: surroundings).isEmpty)
    #expect(model.handle(.escape, in: surroundings).isEmpty && model.help == nil)
    _ = model.handle(.character("?"), in: surroundings)
    #expect(model.paste("filter").isEmpty)
    _ = model.handle(.enter, in: surroundings)
    #expect(model.help == nil && model.filterField != nil)
  }

  @Test func `the help has no marks where one picture is asked for, and Ctrl-L redraws`() {
    var model = PickModel(takesOne: true)
    _ = model.handle(.character("?"), in: surroundings)
    #expect(model.help?.selected?.command == .favorites(.show))
    #expect(model.handle(.control("l"), in: surroundings) == [.redraw])
    #expect(model.handle(.enter, in: surroundings) == [.choose] && model.help == nil)
  }

  @Test func `a click selects, a second one chooses, with Ctrl it marks`() {
    var model = PickModel(takesOne: false)
    func click(_ column: Int, _ modifiers: KeyModifiers = []) -> MouseEvent {
      MouseEvent(.press(.left), column: column, row: 1, modifiers: modifiers)
    }
    #expect(model.handle(click(12), in: surroundings) == [.select(id: "picture 1")])
    #expect(model.handle(click(12), in: surroundings) == [.select(id: "picture 1"), .choose])
    #expect(model.handle(click(25, .control), in: surroundings) == [.markOne(id: "picture 2")])
    let beside = MouseEvent(.press(.left), column: 1, row: 9)
    #expect(model.handle(beside, in: surroundings).isEmpty)
  }
}
