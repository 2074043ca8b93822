import Foundation
import Testing

/// docs/Faults.md has a sentence for each fault, and Fixtures/FaultTests.txt the tests of each.
@Suite struct FaultTableTests {
  private struct FaultTest: Hashable {
    let fault: Int
    let suite: String
    let name: String
  }

  private static func tests() throws -> [FaultTest] {
    let file = DocumentationTests.root.appending(
      path: "Tests/DocumentationTests/Fixtures/FaultTests.txt")
    return try DocumentationTests.lines(file).filter { !$0.isEmpty }.map { line in
      let parts = try #require(try /(\d+) (\w+)\/(.+)/.wholeMatch(in: line), "\(line)")
      return FaultTest(
        fault: try #require(Int(parts.1)), suite: String(parts.2), name: String(parts.3))
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

  @Test func `each fault has one sentence and tests, in at most 3,000 words`() throws {
    let file = DocumentationTests.root.appending(path: "docs/Faults.md")
    let lines = try DocumentationTests.lines(file)
    #expect(lines.reduce(0) { $0 + $1.split(separator: " ").count } <= 3_000)
    let numbers = lines.compactMap { line in
      line.wholeMatch(of: /(\d+)\. [^ ].*\./).flatMap { Int($0.1) }
    }
    #expect(numbers.count >= 95 && numbers == Array(1...numbers.count))
    let tested = try Self.tests().map(\.fault)
    #expect(Set(tested) == Set(numbers) && tested == tested.sorted())
  }

  @Test func `every listed test of a fault exists`() throws {
    var textsOfSuites: [String: [String]] = [:]
    for text in try Self.sources() {
      for suite in text.matches(of: #/struct (\w+) /#) {
        textsOfSuites[String(suite.1), default: []].append(text)
      }
    }
    for test in try Self.tests() {
      let exists = textsOfSuites[test.suite, default: []].contains { text in
        text.contains("func `\(test.name)`") || text.contains("\"\(test.name)\"")
      }
      #expect(exists, "\(test.suite)/\(test.name)")
    }
  }

  @Test func `every test that is named after a fault is listed`() throws {
    let listed = try Set(Self.tests().map { "\($0.fault) \($0.name)" })
    for text in try Self.sources() {
      for test in text.matches(of: /(?:func `|")(fault (\d+): [^`"\n]+)[`"]/) {
        #expect(listed.contains("\(test.2) \(test.1)"))
      }
    }
  }
}
