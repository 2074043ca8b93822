import Testing

@testable import PandaTUI

@Suite struct KeyTableTests {
  let table = KeyTable.standard

  @Test func `every command has a key and a help line, once`() {
    #expect(
      table.bindings.map(\.command).sorted { $0.rawValue < $1.rawValue }
        == Command.allCases.sorted { $0.rawValue < $1.rawValue })
    #expect(table.bindings.allSatisfy { !$0.keys.isEmpty && !$0.help.isEmpty })
  }

  @Test func `no key asks for two things`() {
    let keys = table.bindings.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test func `a key finds its command`() {
    #expect(table.command(for: .character("n")) == .fetch)
    #expect(table.command(for: .delete) == .remove)
    #expect(table.command(for: .function(9)) == nil)
  }
}
