import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Paths whose bytes are not UTF-8, which Swift's text cannot hold: fault 87.
@Suite struct UnreadablePathTests {
  let directory = TemporaryDirectory()
  private let problem = "is not UTF-8 text"

  /// Runs a script, in which `$latin` is a name in Latin-1 and `$1` the path of a program.
  ///
  /// The names in the directory stay as they were.
  private func run(_ program: String, _ script: String) throws -> String {
    try Subprocess.run(
      [
        "sh", "-ec",
        #"cd "$2"; mkdir -p "$latin"; \#(script)"#.replacing(
          "$latin", with: "$(printf 'caf\\351')"),
        "sh",
        BuildProducts.path(of: program), directory.url.path,
      ],
      environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]
    ).output
  }

  /// The number of files and directories below the directory.
  private func count() throws -> Int {
    let listing = try Subprocess.run(
      ["find", directory.url.path, "-mindepth", "1", "-printf", "."],
      environment: ["PATH=/usr/bin:/bin"])
    return listing.output.utf8.count
  }

  @Test(arguments: ["XDG_DATA_HOME", "HOME"])
  func `fault 87: a variable that is not UTF-8 is named, and no directory is created`(
    _ variable: String
  ) throws {
    let output = try run(
      "PantryDefaultProbe",
      #"unset XDG_DATA_HOME XDG_STATE_HOME; export \#(variable)="$2/$latin"; "$1" 2>&1 || true"#)
    #expect(output.contains("\(variable) \(problem)"), "\(output)")
    #expect(try count() == 1)
  }

  @Test func `stored values name a variable that is not UTF-8`() throws {
    let output = try run(
      "PantryDefaultProbe", #"export XDG_STATE_HOME="$2/$latin"; "$1" 2>&1 || true"#)
    #expect(output.contains("XDG_STATE_HOME \(problem)"), "\(output)")
    #expect(try count() == 1)
  }

  @Test(arguments: ["sqlite", "sqlite-readonly", "disk"])
  func `an argument or a working directory that is not UTF-8 is named`(_ kind: String) throws {
    let argument = try run(
      "PantryLiveProbe", #""$1" look "$2/$latin" \#(kind)"#)
    #expect(argument.contains("argument 2 \(problem)"), "\(argument)")
    let working = try run(
      "PantryLiveProbe",
      #"cd "$latin"; "$1" look data \#(kind)"#)
    #expect(working.contains("the working directory \(problem)"), "\(working)")
    #expect(try count() == 1)
  }

  @Test func `a name with the replacement character is valid`() async throws {
    let place = StorageDirectory(url: URL(filePath: directory.path("caf\u{FFFD}")))
    let engine = try SQLiteStorageEngine(directory: place, namespace: "Note")
    try await Store<Note>(storage: engine).add(Note(id: "a"))
    #expect(access(directory.path("caf\u{FFFD}/pantry.sqlite"), F_OK) == 0)
  }

  @Test func `a URL with other bytes, and a zero byte, are refused`() throws {
    let url = try #require(URL(string: "file://\(directory.url.path)/caf%E9/"))
    for url in [url, URL(filePath: directory.path("a\0b"))] {
      let place = StorageDirectory(url: url)
      #expect(throws: StorageError.self) { try SQLiteStorageEngine(directory: place) }
      #expect(throws: StorageError.self) { try DiskStorageEngine(directory: place) }
    }
    #expect(try count() == 0)
  }

  @Test func `names that are equal as text but not in bytes are different files`() throws {
    let names = ["cafe\u{301}.sqlite.backup-1", "caf\u{E9}.sqlite.backup-2", "x\u{308}/y"]
    for name in names.dropLast() {
      try Data().write(to: URL(filePath: directory.path(name)))
    }
    for (name, found) in [("cafe\u{301}.sqlite", names[0]), ("caf\u{E9}.sqlite", names[1])] {
      let paths = FileLocation(directory.path(name)).siblings(withSuffix: ".backup-")
      #expect(paths.map { Array($0.utf8) } == [Array(directory.path(found).utf8)])
    }
    // A slash and a combining mark are one character.
    #expect(FileLocation("/a/\u{308}b").directory == "/a")
  }
}
