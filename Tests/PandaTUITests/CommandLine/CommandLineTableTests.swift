internal import Foundation
internal import PandaTestSupport
internal import Testing

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

/// The one table of the command line, and what is made from it.
struct CommandLineTableTests {
  let table = CommandLineTable.panda
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("A command is in the table once, and options of one name have one letter and one form")
  func unique() {
    #expect(Set(table.names).count == table.names.count)
    let plain = CommandLineTable.plain.names
    #expect(Set(plain).count == plain.count)
    let letters = table.allOptions.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
    for option in table.subcommands.flatMap(\.options) {
      let first = table.allOptions.first { $0.name == option.name }
      #expect(first?.letter == option.letter, "\(option.name)")
      #expect((first?.value == nil) == (option.value == nil), "\(option.name)")
    }
  }

  @Test("Help texts are phrases: in lower case, without a full stop")
  func phrases() {
    let phrases =
      table.allOptions.map(\.help) + table.subcommands.map(\.summary)
      + Configuration.Setting.allCases.map(\.documentation.summary)
    for phrase in phrases {
      #expect(phrase.first?.isLowercase == true && phrase.last != ".", "\(phrase)")
    }
  }

  @Test("The exit statuses are those that the program ends with")
  func exitStatuses() {
    let statuses: [PandaSession.ExitStatus] = [
      .done, .failed, .usage, .network, .storage, .notFound, .busy,
    ]
    #expect(
      table.exitStatuses.map(\.term) == statuses.map { "\($0.rawValue)" } + ["128+n"])
  }

  @Test("Only the last positional argument may be optional or repeat")
  func operands() {
    for subcommand in table.subcommands {
      for operand in subcommand.operands.dropLast() {
        #expect(!operand.isOptional && !operand.repeats, "\(subcommand.usage)")
      }
    }
  }

  @Test("panda(1) has every option, subcommand, key, file, variable and exit status")
  func manual() {
    let page = ManualPage.panda.source()
    for option in table.allOptions {
      let name = option.name.split(separator: "-").joined(separator: "\\-")
      #expect(page.contains("Fl \\-\(name)"))
    }
    for subcommand in table.subcommands {
      #expect(page.contains(".It Cm \(subcommand.name)"))
    }
    for binding in KeyTable.standard.bindings { #expect(page.contains("\n\(binding.help).\n")) }
    for entry in table.files { #expect(page.contains("Pa \(Roff.argument(entry.term))")) }
    for entry in table.exitStatuses { #expect(page.contains("Li \(Roff.argument(entry.term))")) }
    #expect(page.contains("Ev \\&NO_COLOR , Ev \\&COLORTERM , Ev \\&COLORFGBG\n"))
  }

  @Test("panda-config(5) has every setting with its default, and every command with its keys")
  func configurationManual() {
    let page = ManualPage.configuration.source()
    for setting in Configuration.Setting.allCases {
      #expect(page.contains(".It Cm \(setting.rawValue) : "))
    }
    #expect(page.contains("Default: \"auto\"."))
    for binding in KeyTable.standard.bindings {
      #expect(page.contains(".It Cm \(binding.command.rawValue) : "))
    }
    #expect(page.contains(".It Cm left : Li \"\\&[\\(dqleft\\(dq, \\(dqh\\(dq]\""))
  }

  @Test("The defaults in panda-config(5) are those of the program")
  func defaults() {
    for setting in Configuration.Setting.allCases {
      guard let standard = setting.documentation.standard else { continue }
      let (configuration, problems) = Configuration.read(text: "{ \(setting): \(standard) }")
      #expect(problems.isEmpty && configuration == Configuration(), "\(setting)")
    }
  }

  @Test("No text of a manual page is a request or an escape of roff")
  func roff() {
    #expect(Roff.text(".Sh in 'front'") == ["\\&.Sh in 'front'"])
    #expect(Roff.text("'quoted'") == ["\\&'quoted'"])
    #expect(Roff.text("a\\b ~/x -") == ["a\\eb \\(ti/x \\-"])
    #expect(Roff.text("One. Two.") == ["One.", "Two."])
    #expect(Roff.argument("Op \"x\"") == "\"\\&Op \\(dqx\\(dq\"")
    #expect(Roff.argument(".") == "\\&.")
  }

  @Test(
    "The manual pages are clean to mandoc",
    .enabled(if: SearchPath(nil).program("mandoc") != nil, "mandoc is not installed"),
    arguments: ManualPage.allCases)
  func mandoc(_ page: ManualPage) throws {
    #expect(try check(page, with: "mandoc -T lint -W warning \"$0\"") == "")
  }

  @Test(
    "The manual pages are clean to man",
    .enabled(
      if: ["man", "groff"].allSatisfy { SearchPath(nil).program($0) != nil },
      "man and groff are not installed"),
    arguments: ManualPage.allCases)
  func man(_ page: ManualPage) throws {
    let command =
      "man --warnings -E UTF-8 -l -Tutf8 -Z \"$0\" 2>&1 >\"$0.out\" && test -s \"$0.out\""
    #expect(try check(page, with: command) == "")
  }

  /// Runs a shell command on the source of a page, and returns what it prints.
  private func check(_ page: ManualPage, with command: String) throws -> String {
    let directory = TemporaryDirectory()
    let file = directory.path("\(page.rawValue).\(page.section)")
    try page.source().write(toFile: file, atomically: true, encoding: .utf8)
    let result = try Subprocess.run(
      ["sh", "-c", command, file],
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(directory.url.path)"])
    #expect(result.status == 0)
    return result.output
  }

  @Test("The newest release of the changelog is that of the metainfo, and none is newer than next")
  @MainActor func version() throws {
    let heading = /\n## \[([0-9.]+)\] - ([0-9-]{10})\n/
    let (_, release, date) = try #require(try Self.text("CHANGELOG.md").firstMatch(of: heading))
      .output
    let first = try #require(
      try Self.text("Packaging/metainfo.xml").firstMatch(of: /<release .*>/)?.output)
    #expect(first == "<release version=\"\(release)\" date=\"\(date)\">")
    #expect(String(release).compare(Version.next, options: .numeric) != .orderedDescending)
    #expect(Version.number.hasPrefix(Version.next))
    // Servers see it: RFC 9110 allows the ~ in a product's version.
    #expect(UserAgent.text(contact: nil).hasPrefix("panda/\(Version.number) "))
    #expect(Version.longDate.hasSuffix(", \(Version.date.prefix(4))"))
  }

  @Test("The versions of all libraries are told")
  func libraries() {
    let names = [
      "curl", "OpenSSL", "SQLite", "ncurses", "libchafa.so", "libpng", "libturbojpeg.so", "libwebp",
      "giflib", "libheif", "Little CMS",
    ]
    #expect(names.count == Version.libraries.count)
    for (name, text) in zip(names, Version.libraries) {
      #expect(text.hasPrefix(name) && text.contains { $0.isNumber }, "\(text)")
    }
  }
}
