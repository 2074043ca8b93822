import Foundation
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

@Suite struct ConfigCommandTests {
  @Test(arguments: [
    "{}", "{ mouse: false, graphics: \"sixel\", slideshowSeconds: 9, contact: \"me@example.org\" }",
    "{ source: \"commons,grove\", keys: { fetch: [\"f\", \"ctrl-n\"], party: [] }, theme: \"dark\" }",
    "{ source: \"https://zoo.example/random?a=1\" }", "{ source: \"/pandas/of mine\" }",
  ])
  func `the output of config print reads back as the same settings`(_ text: String) throws {
    let (configuration, problems) = Configuration.read(text: text)
    #expect(problems == [])
    let (again, furtherProblems) = Configuration.read(text: configuration.json5)
    #expect(furtherProblems == [])
    var expected = configuration
    expected.keys = again.keys
    #expect(again == expected)
    #expect(
      again.keyTable.bindings.map(\.keys) == configuration.keyTable.bindings.map(\.keys))
  }
}
