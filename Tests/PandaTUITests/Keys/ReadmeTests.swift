import Foundation
import TerminalKit
import Testing

@testable import PandaSession

/// The front page: short, and with keys that are those of the program.
@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: ["README.md", "Sources/Pantry/README.md"])
  func `a front page has at most 900 words`(_ path: String) throws {
    #expect(try text(path).split(whereSeparator: \.isWhitespace).count <= 900)
  }

  @Test func `the eight keys of the README are keys of the program`() throws {
    let lines = try text("README.md").split(separator: "\n")
    let start = try #require(lines.firstIndex(of: "| key | does |"))
    let names = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      String(line.split(separator: "`")[1])
    }
    #expect(names.count == 8)
    for name in names {
      let key = try #require(Key(name: name), "\(name)")
      #expect(KeyTable.standard.command(for: key) != nil, "\(name)")
    }
  }
}
