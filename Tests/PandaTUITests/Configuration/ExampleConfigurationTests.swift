internal import Foundation
internal import Testing

@testable internal import PandaCore
@testable import PandaSession

/// The example in docs must stay true.
@Suite struct ExampleConfigurationTests {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/config.json5").standardized

  /// The names in an object, by line.
  private func names(in value: JSONValue?) throws -> [String] {
    try #require(value?.members).sorted { $0.value.line < $1.value.line }.map(\.key)
  }

  @Test func `the example is read without a problem, and sets the defaults`() {
    let (configuration, problems) = Configuration.read(file: file)
    #expect(problems.map(\.description) == [])
    #expect(configuration == Configuration())
  }

  @Test func `the example has every setting, and the keys of every command`() throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let settings = try JSONValue(Data(text.utf8))
    #expect(try names(in: settings) == Configuration.Setting.allCases.map(\.rawValue))
    let commands = settings.members?["keys"]
    #expect(try names(in: commands) == KeyTable.standard.bindings.map(\.command.rawValue))
  }
}
