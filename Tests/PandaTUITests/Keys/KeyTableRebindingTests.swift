internal import Testing

@testable import PandaSession
@testable import TerminalKit

@Suite struct KeyTableRebindingTests {
  typealias Conflict = KeyTable.Conflict

  /// A table of which these tests know every key.
  let table = KeyTable(bindings: [
    .init(
      .card(.fetch), [.character("f"), .character("n")], help: "Fetch", group: .panda),
    .init(
      .favorites(.remove), [.character("x"), .delete], help: "Remove", group: .panda),
    .init(.card(.party), [.character("p")], help: "Party", group: .panda),
    .init(.program(.suspend), [.control("z")], help: "Stop", group: .panda),
    .init(.program(.quit), [.character("q")], help: "Quit", group: .panda),
  ])

  func keys(_ overrides: [Command: [Key]]) -> [Command: [Key]] {
    let bindings = table.rebound(overrides).table.bindings
    return Dictionary(uniqueKeysWithValues: bindings.map { ($0.command, $0.keys) })
  }

  /// The keys without a conflict, with some changed.
  func standard(but changed: [Command: [Key]] = [:]) -> [Command: [Key]] {
    keys([:]).merging(changed) { $1 }
  }

  @Test func `rebinding changes nothing but the keys`() {
    let (rebound, conflicts) = table.rebound([.card(.fetch): [.function(5)], .card(.party): []])
    #expect(conflicts.isEmpty)
    #expect(rebound.bindings.map(\.command) == table.bindings.map(\.command))
    #expect(rebound.bindings.map(\.help) == table.bindings.map(\.help))
    #expect(rebound.command(for: .function(5)) == .card(.fetch))
    #expect(rebound.command(for: .character("f")) == nil)
    #expect(rebound.command(for: .character("p")) == nil)
  }

  @Test func `two commands can swap their keys, and take what another gives up`() {
    let swapped: [Command: [Key]] = [
      .card(.party): [.character("q")], .program(.quit): [.character("p"), .character("f")],
      .card(.fetch): [.character("n")],
    ]
    #expect(table.rebound(swapped).conflicts.isEmpty)
    #expect(keys(swapped) == standard(but: swapped))
  }

  @Test func `a key that another command has is left to it`() {
    let overrides: [Command: [Key]] = [.card(.party): [.function(1), .character("x")]]
    #expect(
      table.rebound(overrides).conflicts
        == [
          Conflict(command: .card(.party), reason: .taken(.character("x"), by: .favorites(.remove)))
        ])
    #expect(keys(overrides) == standard())
  }

  @Test func `a key of a newer command stays with the override of an older configuration`() {
    let (table, conflicts) = KeyTable.standard.rebound([
      .card(.fetch): [.character("m")], .card(.party): [.character("+")],
    ])
    #expect(conflicts.isEmpty)
    #expect(table.command(for: .character("m")) == .card(.fetch))
    #expect(table[.favorites(.mark)]?.keys == [])
    #expect(table[.view(.larger)]?.keys == [.character("=")])
    let own = KeyTable.standard.rebound([.favorites(.mark): [.character("Z")]])
    #expect(own.table[.view(.zoom)]?.keys == [] && own.conflicts.isEmpty)
  }

  @Test func `the first command in the table wins a key that two overrides share`() {
    let overrides: [Command: [Key]] = [
      .card(.party): [.function(1)], .card(.fetch): [.function(1)],
    ]
    #expect(
      table.rebound(overrides).conflicts
        == [Conflict(command: .card(.party), reason: .taken(.function(1), by: .card(.fetch)))])
    #expect(keys(overrides) == standard(but: [.card(.fetch): [.function(1)]]))
  }

  @Test func `a command that gets its key back takes it from another override`() {
    let overrides: [Command: [Key]] = [
      .card(.fetch): [.character("q")], .program(.quit): [.function(9), .character("x")],
    ]
    #expect(
      table.rebound(overrides).conflicts == [
        Conflict(command: .card(.fetch), reason: .taken(.character("q"), by: .program(.quit))),
        Conflict(
          command: .program(.quit), reason: .taken(.character("x"), by: .favorites(.remove))),
      ])
    #expect(keys(overrides) == standard())
  }

  @Test func `an override is not lost to one that is left out itself`() {
    let overrides: [Command: [Key]] = [
      .card(.fetch): [.function(1), .character("p")], .favorites(.remove): [.function(1)],
    ]
    #expect(table.rebound(overrides).conflicts.map(\.command) == [.card(.fetch)])
    #expect(keys(overrides) == standard(but: [.favorites(.remove): [.function(1)]]))
  }

  @Test(
    arguments: [
      (.card(.fetch), .character("0"), .countsAreMadeOf(.character("0"))),
      (.card(.fetch), .character("9"), .countsAreMadeOf(.character("9"))),
      (.card(.fetch), .control("c"), .signalIsMadeOf(.control("c"))),
      (.program(.quit), .control("\\"), .signalIsMadeOf(.control("\\"))),
      (.card(.fetch), .control("z"), .signalIsMadeOf(.control("z"))),
    ] as [(Command, Key, Conflict.Reason)])
  func `some keys cannot be bound`(_ command: Command, _ key: Key, _ reason: Conflict.Reason) {
    let overrides = [command: [.function(1), key]]
    #expect(
      table.rebound(overrides).conflicts == [Conflict(command: command, reason: reason)])
    #expect(keys(overrides) == standard())
  }

  @Test func `suspend may keep its signal's key and have others`() {
    #expect(table.rebound([.program(.suspend): [.control("z"), .function(1)]]).conflicts.isEmpty)
    #expect(table.rebound([.card(.fetch): [.alt("1")]]).conflicts.isEmpty)
  }

  @Test func `there is always a key to quit with`() {
    #expect(
      table.rebound([.program(.quit): []]).conflicts
        == [Conflict(command: .program(.quit), reason: .leavesNoWayToQuit)])
    #expect(keys([.program(.quit): []]) == standard())
  }

  @Test func `a key named twice counts once`() {
    let overrides: [Command: [Key]] = [.card(.fetch): [.function(1), .function(1)]]
    #expect(table.rebound(overrides).conflicts.isEmpty)
    #expect(keys(overrides)[.card(.fetch)] == [.function(1)])
  }

  @Test func `with any overrides, no key runs two commands and quit has a key`() {
    var generator = SystemRandomNumberGenerator()
    let choices = KeyTable.standard.bindings.flatMap(\.keys) + [.function(1), .character("7")]
    for _ in 0..<500 {
      var overrides: [Command: [Key]] = [:]
      for command in Command.allCases where Bool.random(using: &generator) {
        overrides[command] = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
          choices[Int.random(in: 0..<choices.count, using: &generator)]
        }
      }
      let (rebound, conflicts) = KeyTable.standard.rebound(overrides)
      let keys = rebound.bindings.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(overrides)")
      #expect(rebound[.program(.quit)]?.keys.isEmpty == false)
      #expect(conflicts.count == Set(conflicts.map(\.command)).count)
      // What is left out is what is named.
      for binding in rebound.bindings {
        let isLeftOut = conflicts.contains { $0.command == binding.command }
        let expected = isLeftOut ? nil : overrides[binding.command]
        var standard = KeyTable.standard[binding.command]?.keys ?? []
        if binding.command.has(.isNew), overrides[binding.command] == nil {
          standard.removeAll { key in overrides.values.contains { $0.contains(key) } }
        }
        #expect(Set(binding.keys) == Set(expected ?? standard), "\(overrides)")
      }
    }
  }
}
