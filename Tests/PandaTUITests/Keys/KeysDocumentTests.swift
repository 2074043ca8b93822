import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import TerminalKit

/// The tables of docs/Keys.md, which are made from the key table by `make keys`.
@Suite struct KeysDocumentTests {
  private let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/Keys.md").standardized
  private let begin = "<!-- Written by make keys: begin -->\n"
  private let end = "<!-- Written by make keys: end -->\n"

  private func tables(of keys: KeyTable) -> String {
    CommandEntry.HelpGroup.allCases.map { group in
      let entries = keys.bindings.filter { $0.group == group }
      guard !entries.isEmpty else { return "" }
      let rows = entries.map { entry in
        let labels = entry.keys.map { "`\($0.label)`" }.joined(separator: " ")
        return "| \(labels) | \(entry.help) | `\(entry.command)` |\n"
      }
      let head = "| key | does | name |\n| --- | --- | --- |\n"
      return "\n## \(group.rawValue)\n\n" + head + rows.joined()
    }.joined() + "\n"
  }

  @Test func `the tables of keys are those of the program`() throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let head = try #require(text.range(of: begin))
    let tail = try #require(text.range(of: end))
    let current = tables(of: .standard)
    if GoldenFiles.areWritten {
      try text.replacingCharacters(in: head.upperBound..<tail.lowerBound, with: current)
        .write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(text[head.upperBound..<tail.lowerBound] == current, "run make keys")
    }
  }
}
