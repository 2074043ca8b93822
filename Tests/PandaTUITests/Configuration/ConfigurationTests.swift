import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import TerminalKit

@Suite struct ConfigurationTests {
  func read(_ text: String) -> (configuration: Configuration, problems: [String]) {
    let (configuration, problems) = Configuration.read(text: text)
    return (configuration, problems.map(\.description))
  }

  @Test func `an absent or null setting has its default`() {
    let names = Configuration.Setting.allCases.map { "\($0): null" }.joined(separator: ",")
    for text in ["", "// nothing yet", "{}", "{ \(names) }", "{ keys: { fetch: null } }"] {
      #expect(read(text) == (Configuration(), []))
    }
  }

  @Test func `every setting is read`() throws {
    let (configuration, problems) = read(
      """
      // mine
      {
        reduceMotion: true, autoAdvance: false, 'mouse': false, "graphics": 'sixel',
        source: "grove", theme: "dark", slideshowSeconds: 0xE10,
        keys: { fetch: ["F5", "ctrl-f"], party: [], clear: 'alt-c', },
      }
      """)
    #expect(problems == [])
    #expect(
      configuration
        == Configuration(
          reduceMotion: true, autoAdvance: false, mouse: false, graphics: .sixel, source: .grove,
          theme: .dark, slideshowSeconds: 3600,
          keys: [
            .card(.fetch): [.function(5), .control("f")], .card(.party): [],
            .favorites(.clear): [.alt("c")],
          ]))
    #expect(configuration.keyTable.command(for: .function(5)) == .card(.fetch))
    #expect(configuration.keyTable.command(for: .character("p")) == nil)
    let address = try #require(URL(string: "https://example.org/x"))
    #expect(
      read("{ source: 'https://example.org/x' }").configuration.source == .endpoint(address))
  }

  @Test(arguments: [
    ("mouse: 1", #""mouse" must be true or false"#),
    ("mouse: 'true'", #""mouse" must be true or false"#),
    ("mouse: tru", #""mouse" must be true or false"#),
    ("reduceMotion: {}", #""reduceMotion" must be true or false"#),
    ("slideshowSeconds: 0", #""slideshowSeconds" must be a whole number from 1 to 3600"#),
    ("slideshowSeconds: 3601", #""slideshowSeconds" must be a whole number from 1 to 3600"#),
    ("slideshowSeconds: 1.5", #""slideshowSeconds" must be a whole number from 1 to 3600"#),
    ("slideshowSeconds: '5'", #""slideshowSeconds" must be a whole number from 1 to 3600"#),
    ("slideshowSeconds: Infinity", #""slideshowSeconds" must be a whole number from 1 to 3600"#),
    ("slideshowSeconds: 99999999999999999999", "whole number"),
    ("slideshowSeconds: 1e999", "whole number"),
    ("theme: ''", #""theme" must be auto, light or dark"#),
    ("theme: 'Dark'", #""theme" must be auto, light or dark"#),
    ("theme: dark", #""theme" must be auto, light or dark"#),
    ("graphics: 7", #""graphics" must be auto, kitty, sixel, iterm, symbols, ascii or none"#),
    ("source: ''", #""source" must be names such as commons,inaturalist"#),
    ("source: []", #""source" must be names such as commons,inaturalist"#),
    ("source: 'ftp://x'", #"an http or https address or a directory, not ftp://x"#),
    (
      "source: 'comons'",
      #"comons of "source" is neither a source nor a directory; did you mean commons?"#
    ),
    ("contact: 'nobody'", #""contact" must be a web or mail address"#),
    ("contact: 'me@example.org)\\r\\nX: y'", #""contact" must be a web or mail address"#),
    ("sources: {}", #""sources" must be a list of at most 50 sources in braces"#),
    (
      "sources: [{ name: 'zoo', address: 'https://zoo.example', picture: '/url', html: yes }]",
      #""sources": "html" must be true or false"#
    ),
    (
      // Foundation's decoder of JSON5 traps on this.
      "sources: [{ name: 'zoo', address: 'https://zoo.example', picture: '/url', weight: 1e+ }]",
      #""sources": "weight" must be from 0 to 100"#
    ),
    (
      "sources: [{ name: 'zoo', address: 'https://zoo.example', picture: '/url', weight: 2x }]",
      #""sources": "weight" must be from 0 to 100"#
    ),
    ("sources: [5]", #""sources": a source must be an object in braces"#),
    ("sources: [{ name: 'zoo' }]", #""sources": "address" is missing"#),
    (
      "sources: [{ name: 'zoo', address: 'https://x', picture: '/u', run: 'rm -r' }]",
      #""sources": "run" is not a member of a source"#
    ),
    ("source: 'http://me:secret@x/'", "must not hold a user name or a password"),
    ("reduceMotoin: true", #""reduceMotoin" is not a setting; did you mean "reduceMotion"?"#),
    ("colour: 1", #""colour" is not a setting"#), ("'': 1", #""" is not a setting"#),
    ("mouse: false, mouse: true", #""mouse" is set again; line 3 is not used"#),
    ("keys: []", #""keys" must be an object of commands, such as { fetch: ["f", "n"] }"#),
    (
      "keys: { fetsh: 'f' }",
      #""fetsh" in "keys" is not a command; did you mean "fetch"?"#
    ),
    ("keys: { dance: 'f' }", #""dance" in "keys" is not a command"#),
    ("keys: { fetch: 5 }", #""fetch" in "keys" must be the name of a key or a list of them"#),
    ("keys: { fetch: '' }", #""fetch" in "keys" must be the name of a key or a list of them"#),
    ("keys: { fetch: ['f', {}] }", #""fetch" in "keys" must be the name of a key"#),
    (
      "keys: { fetch: 'spcae' }",
      #""fetch" in "keys": no key that a terminal sends is named "spcae"; did you mean "space"?"#
    ),
    ("keys: { fetch: 'ctrl-1' }", #"no key that a terminal sends is named "ctrl-1""#),
    ("keys: { fetch: '5' }", #""fetch" in "keys": "5" cannot be bound, digits begin a count"#),
    (
      "keys: { fetch: 'ctrl-c' }",
      #""fetch" in "keys": "ctrl-c" cannot be bound, the terminal keeps it for itself"#
    ),
    (
      "keys: { fetch: ['f', 'q'] }",
      #""fetch" in "keys": "q" belongs to "quit", so "fetch" keeps its keys"#
    ),
    ("keys: { quit: [] }", #""quit" in "keys" must have a key, or there would be none to quit"#),
    ("keys: { fetch: 'f', fetch: ['f', 'n'] }", #""fetch" is set again; line 3 is not used"#),
    ("keys: { fetch: ['a','b','c','d','e','g','i','j','k'] }", "has more than 8 keys"),
  ])
  func `a bad entry is named with its line, and has its default`(_ entry: String, _ problem: String)
  {
    let (configuration, problems) = read("{\n  autoAdvance: false,\n  \(entry),\n}")
    #expect(configuration == Configuration(autoAdvance: false))
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.hasPrefix("config.json5 line 3: ") == true, "\(problems)")
    #expect(problems.first?.contains(problem) == true, "\(problems)")
  }

  @Test func `settings of earlier versions are no mistakes`() throws {
    let (configuration, problems) = Configuration.read(
      text: "{ retrySeconds: 9,\n mouse: false,\n log: true,\n colors: { accent: 3 }, mose: 1 }")
    #expect(configuration == Configuration(mouse: false))
    #expect(problems.map(\.isRetired) == [true, true, true, false])
    #expect(
      problems[1].description
        == #"config.json5 line 3: "log" is no longer used: panda --log writes a log"#)
  }

  @Test(arguments: [
    ("0.1.0", ["retrySeconds", "copyCredit"]),
    ("0.2.0", ["colors", "retrySeconds", "log", "kiosk", "copyCredit"]),
  ])
  func `a file with all settings of a release is read`(_ release: String, _ retired: [String]) {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../PandaTestSupport/Releases/\(release)/config.json5").standardized
    let (configuration, problems) = Configuration.read(file: file)
    #expect(configuration == Configuration())
    let told = problems.map { $0.isRetired ? $0.sentence.split(separator: "\"").first : nil }
    #expect(told == retired.map { Substring($0) }, "\(problems)")
  }

  @Test @MainActor func `a setting that is no longer used is told once for a file`() throws {
    let directory = TemporaryDirectory()
    let remembered = Remembered(in: StorageDirectory(url: directory.url.appending(path: "state")))
    func untold(_ name: String, _ text: String) throws -> [String] {
      let file = directory.path(name)
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let settings = try Settings(Options(configurationFile: file), environment: [:])
      return settings.untold(remembered.retiredSettings).map(\.sentence)
    }
    let words = { (name: String) in
      "\"\(name)\" is no longer used: \(Configuration.retired[name] ?? "")"
    }
    #expect(try untold("a", "{ log: true, mouse: false }") == [words("log")])
    #expect(try untold("a", "{ log: true, mouse: 7 }") == ["\"mouse\" must be true or false"])
    #expect(try untold("b", "{ log: true }") == [words("log")])
    #expect(try untold("a", "{ log: true,\n colors: {} }") == [words("log"), words("colors")])
    #expect(try untold("b", "{ log: false }") == [])
    #expect(try untold("a", "{}") == [])
  }

  @Test func `problems are in the order of lines, and an element has its own line`() {
    let (configuration, problems) = Configuration.read(
      text: """
        { keys: {
            party: "q",
            fetch: [
              "g",
              "nonsense" ],
            clear: "1" },
          mouse: 5 }
        """)
    #expect(configuration == Configuration())
    #expect(problems.map(\.line) == [2, 5, 6, 7])
  }

  @Test func `only the first hundred problems are listed`() {
    let entries = (0..<5_000).map { "fetch\($0): 1" }.joined(separator: ",\n")
    let problems = Configuration.read(text: "{ keys: { \(entries) } }").problems
    #expect(problems.count == 101)
    #expect(problems[99].line == 100)
    #expect(problems[100].description == "config.json5: 4900 more of its entries cannot be used")
  }

  @Test func `the last of an entry counts, even when it is bad`() {
    #expect(read("{ mouse: true, mouse: false }").configuration.mouse == false)
    #expect(read("{ mouse: false, 'mouse': 7 }").configuration.mouse == true)
    #expect(read("{ mouse: false, 'mouse': 7 }").problems.count == 2)
  }

  @Test(arguments: [
    ("{\n mouse: false\n theme: 'dark'}", 3, "comma"), ("[]", 1, "braces"), ("true", 1, "braces"),
    ("{ mouse: false }\n x", 2, "end"), ("\n\n<xml>", 3, "braces"), ("{\nmouse: false,", 2, "}"),
    (String(repeating: "[", count: 500_000), 1, "deep"),
    ("{ x: " + String(repeating: "{x:", count: 300_000), 1, "deep"),
  ])
  func `text that is not a JSON5 object sets nothing, and its line is reported`(
    _ text: String, _ line: Int, _ reason: String
  ) throws {
    let (configuration, problems) = Configuration.read(text: text)
    #expect(configuration == Configuration())
    #expect(problems.count == 1)
    #expect(problems.first?.line == line)
    #expect(problems.first?.sentence.contains(reason) == true, "\(problems)")
  }

  @Test func `quotes from the file are sanitized and short`() {
    let bad = "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 100_000)
    for text in [
      "{ '\(bad)': 1 }", "{ keys: { '\(bad)': 1 } }", "{ keys: { fetch: '\(bad)' } }",
      "{ source: '\(bad)' }", "{ theme: '\(bad)' }",
    ] {
      let problems = read(text).problems
      #expect(problems.count == 1)
      for problem in problems {
        #expect(problem.count < 200)
        #expect(problem.sanitized() == problem)
      }
    }
  }

  @Test func `one line has the first problem and the number of others`() {
    let problems = Configuration.read(text: "{ a: 1,\n b: 2,\n c: 3 }").problems
    #expect([ConfigurationProblem]().summary == nil)
    #expect(problems.prefix(1).map { $0 }.summary == #"config.json5 line 1: "a" is not a setting"#)
    #expect(
      problems.prefix(2).map { $0 }.summary
        == #"config.json5 line 1: "a" is not a setting (and 1 more: panda doctor shows it)"#)
    #expect(problems.summary?.hasSuffix("(and 2 more: panda doctor shows them)") == true)
  }
}
