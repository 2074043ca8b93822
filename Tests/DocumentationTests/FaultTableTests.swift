import Foundation
import Testing

/// docs/Faults.md is a table of faults and of the tests that exist for them.
@Suite struct FaultTableTests {
  private struct Row {
    let number: Int
    let fault: String
    let outcome: String
    let tests: String
  }

  private static func rows() throws -> [Row] {
    try DocumentationTests.lines(DocumentationTests.root.appending(path: "docs/Faults.md"))
      .compactMap { line in
        let cells = line.components(separatedBy: " | ")
        guard line.hasPrefix("| "), line.hasSuffix(" |"), cells.count == 4,
          let number = Int(cells[0].dropFirst(2))
        else { return nil }
        return Row(
          number: number, fault: cells[1], outcome: cells[2], tests: String(cells[3].dropLast(2)))
      }
  }

  /// The text of each file with tests.
  private static func sources() throws -> [String] {
    let folder = DocumentationTests.root.appending(path: "Tests")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.filter { $0.contains("@Test") }
  }

  @Test func `each of the first 95 faults has one row, with what happens`() throws {
    let rows = try Self.rows()
    let numbers = rows.map(\.number)
    #expect(numbers.starts(with: 1...95) && numbers == Set(numbers).sorted())
    #expect(rows.allSatisfy { !$0.fault.isEmpty && !$0.outcome.isEmpty && !$0.tests.isEmpty })
  }

  @Test func `every test that the table of faults names exists`() throws {
    var textsOfSuites: [Substring: [String]] = [:]
    for text in try Self.sources() {
      for suite in text.matches(of: #/struct (\w+) /#) {
        textsOfSuites[suite.1, default: []].append(text)
      }
    }
    var count = 0
    for row in try Self.rows() {
      for test in row.tests.matches(of: /`(\w+)\/([^`]+)`/) {
        count += 1
        let (suite, name) = (test.1, test.2)
        let exists = textsOfSuites[suite, default: []].contains { text in
          text.contains("func `\(name)`") || text.contains("\"\(name)\"")
        }
        #expect(exists, "\(suite)/\(name)")
      }
    }
    #expect(count > 100)
  }

  @Test func `every test that is named after a fault is in the table`() throws {
    let rows = try Self.rows()
    for text in try Self.sources() {
      for test in text.matches(of: /(?:func `|")(fault (\d+): [^`"\n]+)[`"]/) {
        let row = rows.first { $0.number == Int(test.2) }
        #expect(row?.tests.contains("/\(test.1)`") == true, "\(test.1)")
      }
    }
  }
}
