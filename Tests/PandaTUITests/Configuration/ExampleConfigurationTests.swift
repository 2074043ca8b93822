internal import Foundation
internal import Testing

@testable internal import PandaTUI

/// The example in docs must stay true.
@Suite struct ExampleConfigurationTests {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/config.json5").standardized

  func members(of value: JSON5Value?) throws -> [JSON5Member] {
    guard case .object(let members)? = value?.content else {
      Issue.record("no object")
      return []
    }
    return members
  }

  @Test func `the example is read without a problem, and sets the defaults`() {
    let (configuration, problems) = Configuration.read(file: file)
    #expect(problems.map(\.description) == [])
    #expect(configuration == Configuration())
  }

  @Test func `the example has every setting, and the keys of every command`() throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let settings = try members(of: try JSON5Scanner.value(of: text))
    #expect(settings.map(\.name) == Configuration.Setting.allCases.map(\.rawValue))
    let commands = try members(of: settings.last?.value)
    #expect(commands.map(\.name) == KeyTable.standard.bindings.map(\.command.rawValue))
  }
}
