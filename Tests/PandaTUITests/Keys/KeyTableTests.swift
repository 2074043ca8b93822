import TerminalKit
import Testing

@testable import PandaSession

@Suite struct KeyTableTests {
  let table = KeyTable.standard

  @Test func `every command has a key and a help line, once`() {
    #expect(
      table.bindings.map(\.command).sorted { $0.rawValue < $1.rawValue }
        == Command.allCases.sorted { $0.rawValue < $1.rawValue })
    #expect(table.bindings.allSatisfy { !$0.keys.isEmpty && !$0.help.isEmpty })
  }

  @Test func `no key runs two commands`() {
    let keys = table.bindings.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test func `messages name a command's first key, if it has one`() {
    let table = table.rebound([.favorites(.undo): [.control("u")], .favorites(.redo): []]).table
    #expect(
      table.sentence("Gone", then: .favorites(.undo), "takes it back")
        == "Gone. ctrl-u takes it back")
    #expect(table.sentence("Gone", separator: "; ", then: .card(.fetch), "goes") == "Gone; f goes")
    #expect(table.sentence("Undone", then: .favorites(.redo), "brings it back") == "Undone")
    #expect(table.hintLine(.card(.fetch), "fetches one") == ["f fetches one"])
    #expect(table.hintLine(.favorites(.redo), "brings it back").isEmpty)
  }

  @Test func `commands that need more than the excerpt wait for the favorites`() {
    #expect(
      Set(Command.allCases.filter { $0.has(.needsFavorites) }) == [
        .favorites(.remove), .favorites(.clear), .favorites(.caption), .favorites(.tags),
        .favorites(.sort), .favorites(.filter), .favorites(.collections), .card(.hide),
        .favorites(.random), .favorites(.markAll), .move(.last), .move(.pageRight),
      ])
  }

  @Test func `every command pauses the slideshow, except those that keep it`() {
    #expect(
      Set(Command.allCases.filter { $0.has(.keepsSlideshow) }) == [
        .favorites(.favorite), .program(.redraw), .program(.suspend), .program(.quit),
      ])
  }

  @Test func `a key finds its command`() {
    #expect(table.command(for: .character("n")) == .card(.fetch))
    #expect(table.command(for: .delete) == .favorites(.remove))
    #expect(table.command(for: .function(9)) == nil)
  }

  @Test func `a key without a command is replaced by the one in its place`() {
    let (n, т) = (Key.character("n"), Key.character("т"))
    #expect(table.meaning(of: т, base: n) == n)
    #expect(table.meaning(of: т, base: nil) == т)
    let rebound = table.rebound([.picture(.open): [т]]).table
    #expect(rebound.meaning(of: т, base: n) == т)
  }

  @Test func `Shift-Enter is Enter unless it has a command`() {
    let key = Key.modified(.shift, .enter)
    #expect(table.meaning(of: key, base: nil) == .enter)
    #expect(table.rebound([.picture(.open): [key]]).table.meaning(of: key, base: nil) == key)
    #expect(table.meaning(of: .modified([.control, .shift], .tab), base: nil) == .backTab)
    #expect(table.meaning(of: .modified([.alt, .control], .enter), base: nil).label == "alt-enter")
    #expect(table.meaning(of: .modified(.control, .left), base: nil).label == "ctrl-←")
  }
}
