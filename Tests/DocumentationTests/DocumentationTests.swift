import Foundation
import Pantry
import PantryTesting
import Testing

/// The guides' code is the code in Snippets and DefaultIsolationSnippets, which the compiler has
/// seen.
@Suite struct DocumentationTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let catalog = root.appending(path: "Sources/Pantry/Pantry.docc")

  static func files(in folder: URL, _ suffix: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(suffix) }
  }

  static func lines(_ file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The lines without the spaces that all of them begin with.
  static func normalized(_ lines: [String]) -> String {
    let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
  }

  /// What stands between `// snippet: NAME` and `// end`.
  static func snippets() throws -> [String: String] {
    var snippets: [String: String] = [:]
    let folders = ["DocumentationTests/Snippets", "DefaultIsolationSnippets"]
    for file in try folders.flatMap({ try files(in: root.appending(path: "Tests/\($0)"), ".swift") }
    ) {
      var name: String?
      var body: [String] = []
      for line in try lines(file) {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("// snippet: ") {
          (name, body) = (String(text.dropFirst(12)), [])
        } else if text == "// end", let ended = name {
          snippets[ended] = normalized(body)
          name = nil
        } else if name != nil {
          body.append(line)
        }
      }
    }
    return snippets
  }

  /// The Swift blocks of an article, each with the name in the comment above it.
  static func blocks(_ file: URL) throws -> [(name: String?, code: String)] {
    var blocks: [(name: String?, code: String)] = []
    var body: [String]?
    var previous = ""
    var name: String?
    for line in try lines(file) {
      if line == "```swift" {
        name =
          previous.hasPrefix("<!-- snippet: ")
          ? String(previous.dropFirst(14).dropLast(4)) : nil
        body = []
      } else if line == "```", let code = body {
        blocks.append((name, normalized(code)))
        body = nil
      } else {
        body?.append(line)
      }
      previous = line
    }
    return blocks
  }

  @Test func `every code block in the guides is compiled`() throws {
    let snippets = try Self.snippets()
    var used: Set<String> = []
    let articles =
      try Self.files(in: Self.catalog, ".md")
      + ["README.md", "Sources/Pantry/README.md"].map { Self.root.appending(path: $0) }
    for article in articles {
      for (name, code) in try Self.blocks(article) {
        let name = try #require(name, "\(article.lastPathComponent): \(code)")
        #expect(snippets[name] == code, "\(name) in \(article.lastPathComponent)")
        used.insert(name)
      }
    }
    #expect(used == Set(snippets.keys))
  }

  @Test func `every guide is on the landing page and in Pantry's README`() throws {
    let landing = try String(
      contentsOf: Self.catalog.appending(path: "Pantry.md"), encoding: .utf8)
    let readme = try String(
      contentsOf: Self.root.appending(path: "Sources/Pantry/README.md"), encoding: .utf8)
    let articles = try Self.files(in: Self.catalog, ".md")
      .map { $0.deletingPathExtension().lastPathComponent }.filter { $0 != "Pantry" }
    #expect(articles.count == 14)
    for article in articles {
      #expect(landing.contains("<doc:\(article)>"))
      #expect(readme.contains("](Pantry.docc/\(article).md)"))
    }
  }

  @Test func `the engine of the guide keeps the contract that the guide names`() async throws {
    // The promises about 10,000 keys are left out: an array is searched for each.
    let subject = EngineUnderTest(isPersistent: false) { _ in DictionaryEngine() }
    for promise in EngineContract.allCases where promise.applies(to: subject) {
      try await promise.check(subject)
    }
  }

  @Test func `the server of the guide answers beside a call that blocks, until a signal`()
    async throws
  {
    let store = try await Store<StoreSnippets.Note>(storage: MemoryStorageEngine())
    // Nothing else in the process uses this signal, and it is lost where nobody listens yet.
    let signaling = Task {
      _ = try await ServerSnippets.save(.init(id: "1", text: "Buy bamboo"), in: store)
      while !Task.isCancelled {
        kill(getpid(), SIGURG)
        await Task.yield()
      }
    }
    try await ServerSnippets.serve(store, until: SIGURG) { while true { sleep(3_600) } }
    signaling.cancel()
    #expect(await ServerSnippets.summary(of: store).count == 1)
  }

  @Test func `the engine of the guide can be timed as described`() async throws {
    let time = try await EngineBenchmark.writeOne.medianTime(of: DictionaryEngine.self, runs: 1)
    #expect(time > .zero)
  }
}
