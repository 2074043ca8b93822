import Foundation
import Glibc
import PandaTestSupport
import TerminalKit
import Testing

@testable import PandaSession
@testable import PandaShell

@Suite struct ConfigurationFileTests {
  let directory = TemporaryDirectory()

  func write(_ data: Data, _ name: String = "config.json5") throws -> URL {
    let file = directory.url.appending(path: name)
    try data.write(to: file)
    return file
  }

  func problems(_ file: URL) -> [String] {
    let (configuration, problems) = Configuration.read(file: file)
    #expect(configuration == Configuration())
    return problems.map(\.description)
  }

  @Test func `a file is read, and one that is absent is fine`() throws {
    #expect(problems(directory.url.appending(path: "none")) == [])
    #expect(problems(directory.url.appending(path: "none/none/config.json5")) == [])
    #expect(problems(try write(Data()).appending(path: "below a file")) == [])
    #expect(problems(URL(filePath: "/dev/null")) == [])
    let file = try write(Data("{ mouse: false }".utf8))
    #expect(Configuration.read(file: file).configuration == Configuration(mouse: false))
    let withMark = try write(Data("\u{FEFF}{ mouse: false }".utf8))
    #expect(Configuration.read(file: withMark).configuration == Configuration(mouse: false))
  }

  @Test(arguments: [
    (Data("{\0}".utf8), "it is not text: it holds NUL bytes"),
    (Data([0x7B, 0xFF, 0x7D]), "it is not text in UTF-8"),
    (Data([0xED, 0xA0, 0x80]), "it is not text in UTF-8"),
    (Data(repeating: 0x20, count: 1_000_001), "it is larger than 1 MB"),
  ])
  func `a file that is not text is reported as one problem`(_ data: Data, _ reason: String) throws {
    #expect(
      problems(try write(data)) == ["config.json5: \(reason). None of its settings is used"])
  }

  @Test func `a megabyte is read`() throws {
    #expect(problems(try write(Data(repeating: 0x20, count: 1_000_000))) == [])
  }

  @Test func `directories and pipes are refused`() throws {
    #expect(problems(directory.url).first?.contains(": it is a directory. None") == true)
    let pipe = directory.url.appending(path: "pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(problems(pipe) == ["pipe: it is not a file. None of its settings is used"])
    #expect(problems(URL(filePath: "/dev/zero")).first?.contains("larger than 1 MB") == true)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `an unreadable file is one problem`() throws {
    let file = try write(Data("{}".utf8))
    #expect(chmod(file.path, 0) == 0)
    #expect(
      problems(file)
        == ["config.json5: it cannot be read: permission denied. None of its settings is used"])
  }

  @Test func `problems name the file`() throws {
    let file = try write(Data("{\n x: 1 }".utf8), "my\u{1B}[2J settings")
    #expect(problems(file) == ["my[2J settings line 2: \(Sentence.problem(in: "{ x: 1 }"))"])
  }

  @Test func `the place follows the XDG specification`() {
    #expect(
      ConfigurationFile.standard(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]).path
        == "/x/panda/config.json5")
    for value in ["", "relative"] {
      #expect(
        ConfigurationFile.standard(["XDG_CONFIG_HOME": value, "HOME": "/h"]).path
          == "/h/.config/panda/config.json5")
    }
    for environment in [[:], ["HOME": ""], ["HOME": "relative"]] {
      #expect(
        ConfigurationFile.standard(environment, accountHome: URL(filePath: "/account")).path
          == "/account/.config/panda/config.json5")
    }
  }

  @Test func `fault 114: a link that leads nowhere is a problem, not a missing file`() throws {
    for (link, file) in [("lost.json5", "lost.json5"), ("panda", "panda/config.json5")] {
      try FileManager.default.createSymbolicLink(
        at: directory.url.appending(path: link),
        withDestinationURL: directory.url.appending(path: "unmounted"))
      #expect(
        problems(directory.url.appending(path: file)).first?.contains("cannot be read") == true)
    }
  }

  // MARK: Settings

  /// What ends a command: its status, or nothing.
  enum End: Sendable {
    case storage, usage, nothing

    var status: PandaSession.ExitStatus? {
      self == .storage ? .storage : self == .usage ? .usage : nil
    }
  }

  /// The settings, the options, what ends a command on favorites, and one that fetches.
  static let unknown: [(String, [String], End, End)] = [
    ("{ mouse: 7, sources: [5], kiosk: false }", [], .nothing, .nothing),
    // What protected something never ends silently.
    ("{ kiosk: true }", [], .usage, .usage), ("{ kiosk: 'ture' }", [], .usage, .usage),
    ("{ kiosk: null }", ["--library", "local"], .usage, .usage),
    ("{ library: 'local', author: null, source: 'grove' }", [], .nothing, .nothing),
    // A file that cannot be parsed, or not be read, as a whole.
    ("{ mouse: true,, }", [], .storage, .storage), ("{ mouse: true", [], .storage, .storage),
    ("[]", [], .storage, .storage), ("{\0}", [], .storage, .storage),
    ("{,}", ["--library", "local"], .nothing, .storage),
    ("{,}", ["--library", "local", "--source", "grove"], .nothing, .nothing),
    ("{,}", ["--data-dir", "x", "--source", "grove"], .nothing, .nothing),
    ("{,}", ["--source", "grove"], .storage, .storage),
    // The file may describe it.
    ("{,}", ["--library", "local", "--source", "zoo"], .nothing, .storage),
    // Who changes a shared library is not known.
    ("{,}", ["--library", "postgresql://x/y", "--source", "grove"], .storage, .storage),
    ("{ library: 3 }", [], .storage, .storage), ("{ library: 'postgres' }", [], .storage, .storage),
    ("{ library: 'local', library: [] }", [], .storage, .storage),
    ("{ library: 3 }", ["--library", "local"], .nothing, .nothing),
    ("{ library: 3 }", ["--data-dir", "x"], .nothing, .nothing),
    ("{ library: 3, source: 3 }", ["--library", "local"], .usage, .usage),
    ("{ source: 3, library: 3 }", [], .storage, .storage),
    ("{ author: '' }", [], .usage, .usage),
    ("{ author: 3 }", ["--library", "local"], .nothing, .nothing),
    ("{ author: 3 }", ["--library", "postgresql://x/y"], .usage, .usage),
    ("{ source: 'comons' }", [], .usage, .usage), ("{ source: {} }", [], .usage, .usage),
    ("{ source: {} }", ["--source", "grove"], .nothing, .nothing),
    // Unknown names within one edit.
    ("{ libary: 'postgresql://x/y' }", [], .storage, .storage),
    ("{ Library: 'local' }", [], .storage, .storage), ("{ lirbary: 1 }", [], .storage, .storage),
    ("{ libray_: 1 }", [], .nothing, .nothing), ("{ autor: 'ada' }", [], .usage, .usage),
    ("{ sorce: 'grove' }", [], .usage, .usage), ("{ sourc: 1 }", [], .usage, .usage),
    ("{ sorce: 'grove' }", ["--source", "grove"], .nothing, .nothing),
    // After more problems than are listed.
    ("{ " + (0...100).map { "k\($0): 1, " }.joined() + "library: 3 }", [], .storage, .storage),
  ]

  @Test(arguments: Self.unknown)
  func `fault 114: an unreadable library, author or source ends a command, unless it is named`(
    _ text: String, _ options: [String], _ onFavorites: End, _ onFetching: End
  ) throws {
    let file = try write(Data(text.utf8))
    let arguments = options + ["--config", file.path]
    guard case .run(let options, _) = try Invocation(arguments: arguments) else { return }
    let settings = try Settings(options, environment: [:])
    #expect(settings.obstacle(to: .favorites)?.status == onFavorites.status)
    #expect(settings.obstacle(to: .sources)?.status == onFetching.status)
    for use in [Settings.Use.favorites, .sources] {
      guard let words = settings.obstacle(to: use)?.description else { continue }
      #expect(words.hasPrefix("panda: config.json5"), "\(words)")
      #expect(words.contains(text.contains("kiosk") ? "Remove it" : "Correct it"), "\(words)")
      #expect(words.contains(" line 1: ") != text.contains("\0"), "\(words)")
    }
  }

  @Test func `a file named on the command line replaces the standard one`() throws {
    let environment = ["XDG_CONFIG_HOME": directory.path("")]
    var settings = try Settings(Options(), environment: environment)
    #expect(!settings.isFileFound && settings.problems.isEmpty)
    #expect(settings.file.path == directory.path("panda/config.json5"))

    let file = try write(Data("{ theme: 'dark', mouse: 5, source: 'grove' }".utf8), "mine")
    let options = Options(
      source: .automatic, configurationFile: file.path, withoutMouse: true)
    settings = try Settings(options, environment: environment)
    #expect(settings.isFileFound)
    #expect(settings.configuration == Configuration(mouse: false, theme: .dark))
    #expect(
      settings.problems.map(\.description)
        == ["mine line 1: \(Sentence.problem(in: "{ mouse: 5 }"))"])
  }

  @Test func `a file named on the command line must exist`() throws {
    let options = Options(configurationFile: directory.path("no\nne"))
    let error = #expect(throws: UsageError.self) { try Settings(options, environment: [:]) }
    #expect(error?.problem.hasSuffix("no ne, is not there") == true, "\(error?.problem ?? "")")
  }
}
