import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import Pantry

/// The real program where nothing can be saved.
@Suite(.timeLimit(.minutes(15))) struct HostileHomeTests {
  let directory = TemporaryDirectory()

  /// Runs `panda --plain` on these lines, and returns what it says.
  private func plain(
    _ lines: String, home: String, environment: [String] = [], status: Int32 = 0
  ) throws -> String {
    let script = "printf '%s' \"$1\" | { shift; exec \"$@\"; }"
    let result = try Subprocess.run(
      ["sh", "-c", script, "sh", lines, "env", "-i", "LC_ALL=C.UTF-8", "HOME=\(home)"]
        + environment + [BuildProducts.path(of: "panda"), "--plain", "--source", "grove"],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(result.status == status, "\(result.output)")
    for raw in ["Cocoa", "(SQLite", "Error Domain"] { #expect(!result.output.contains(raw)) }
    return result.output
  }

  @Test func `fault 41: a file in place of the home is reported, and pandas still come`() throws {
    let file = directory.path("file")
    try Data().write(to: URL(filePath: file))
    let output = try plain(
      "fetch\nfavorite\ncaption Mei\nsort\nproblem\nundo\nlist\n", home: directory.path("home"),
      environment: ["XDG_DATA_HOME=\(file)", "XDG_STATE_HOME=\(file)", "XDG_CACHE_HOME=\(file)"],
      status: 4)
    let reason = "\(file)/panda could not be created: part of its path is a file"
    // At the start, and for each of the commands that need them; `problem` has it in its lines.
    #expect(
      output.components(separatedBy: "\(StorageWords.unreadable): \(reason).").count == 7,
      "\(output)")
    #expect(output.components(separatedBy: "A drawn red panda").count == 3, "\(output)")
    for words in ["Added", "no favorites", Sentence.refused(.nothingToUndo)] {
      #expect(!output.contains(words))
    }
  }

  @Test func `fault 112: a pipe in place of any file of ours is not waited for`() throws {
    let home = directory.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
    let environment = ["PATH=/usr/bin:/bin", "HOME=\(home)", "LC_ALL=C.UTF-8"]
    func run(_ script: String) throws -> Subprocess.Result {
      try Subprocess.run(
        ["sh", "-c", script, try BuildProducts.path(of: "panda")], environment: environment)
    }
    let script = """
      printf 'fetch\nfavorite\n' | timeout -s KILL 60 "$0" --log --source grove --plain &&
      timeout -s KILL 60 "$0" today && timeout -s KILL 60 "$0" today --greeting
      """
    #expect(try run(script).status == 0)
    let files = try FileManager.default.subpathsOfDirectory(atPath: home).filter { name in
      var status = stat()
      return lstat("\(home)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
    #expect(files.count > 5, "\(files)")
    for file in files + [".config/panda/config.json5"] {
      let path = "\(home)/\(file)"
      let kept = "\(directory.path("kept"))"
      // What makes the pipe, so that there is its directory.
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      let hadFile = rename(path, kept) == 0
      #expect(mkfifo(path, 0o600) == 0)
      let result = try run(script.replacing("&&", with: ";"))
      let isKilled = result.status == 137 || result.output.contains("Killed")
      #expect(!isKilled, "\(file): \(result.output)")
      unlink(path)
      if hadFile { rename(kept, path) }
    }
  }

  /// Where a home with favorites cannot be written.
  enum Place: String, CaseIterable, Sendable {
    case mount, mountWithLog, otherUser, foreignFile, unreadable

    /// A script that puts the home $2 on $1, and what runs the program after it there.
    var script: String {
      let copy = #"mount -t tmpfs tmpfs "$1"; cp -a "$2"/. "$1"/; "#
      let data = #""$1"/.local/share/panda"#
      let asUser = "setpriv --bounding-set -dac_override,-dac_read_search,-fowner "
      return switch self {
      case .mount: copy + #"mount -o remount,bind,ro "$1"; run="#
      // Panda was killed, and its log has the favorites.
      case .mountWithLog: copy + #"mount -o remount,bind,ro "$1"; run="#
      case .otherUser: copy + "chmod 555 \(data); chmod 444 \(data)/*; run='\(asUser)'"
      case .foreignFile: copy + "chmod 444 \(data)/favorites.sqlite; run='\(asUser)'"
      case .unreadable: copy + "chmod 000 \(data)/favorites.sqlite; run='\(asUser)'"
      }
    }
  }

  private func run(_ place: Place, _ arguments: String, input: String) throws -> String {
    let target = TemporaryDirectory()
    let (_, output) = PrivateMounts.run(
      """
      \(place.script)
      printf '%s' "$4" | env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$1" $run "$3" \(arguments) \\
        && echo "status 0" || echo "status $?"
      """,
      [
        target.url.path, directory.path("home"), try BuildProducts.path(of: "panda"), input,
      ], withErrors: true)
    for raw in ["Cocoa", "(SQLite", "Error Domain"] { #expect(!output.contains(raw)) }
    return output.replacing(target.url.path, with: "/home")
  }

  @Test(.enabled(if: PrivateMounts.areAllowed), arguments: Place.allCases)
  func `fault 74: favorites that cannot be written are shown, changed until the end, and rescued`(
    _ place: Place
  ) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path("home"), withIntermediateDirectories: false)
    _ = try plain("favorite\ncaption Mei\n", home: directory.path("home"))
    if place == .mountWithLog {
      // As a program that was killed leaves it: the log, without its index.
      let place = "home/.local/share/panda"
      let database = try Database(path: directory.path("\(place)/favorites.sqlite"))
      try database.execute("PRAGMA wal_autocheckpoint = 0; CREATE TABLE log (a)")
      let copy = directory.url.appending(path: "copy")
      try FileManager.default.copyItem(at: directory.url.appending(path: place), to: copy)
      try FileManager.default.removeItem(at: copy.appending(path: "favorites.sqlite-shm"))
      withExtendedLifetime(database) {}
      try FileManager.default.removeItem(at: directory.url.appending(path: place))
      try FileManager.default.moveItem(at: copy, to: directory.url.appending(path: place))
    }
    let output = try run(place, "--plain --source grove", input: "list\nfetch\nfavorite\nlist\n")
    let reason =
      switch place {
      case .mount: "the file system is read-only"
      case .mountWithLog: "whose index cannot be created here"
      case .otherUser, .foreignFile: "favorites.sqlite cannot be written: permission denied"
      case .unreadable: "favorites.sqlite cannot be opened: permission denied"
      }
    #expect(output.contains(reason), "\(output)")
    #expect(output.contains("status 4"))
    let isReadable = place != .unreadable && place != .mountWithLog
    #expect(output.contains("1. Mei, ") == isReadable, "\(output)")
    let sources = try run(place, "sources", input: "")
    guard isReadable else {
      #expect(output.contains("\(StorageWords.unreadable): /home/"), "\(output)")
      #expect(!output.contains("Added") && sources.contains("status 4"), "\(output)\(sources)")
      return
    }
    #expect(output.contains("\(StorageWords.notSaved): /home/"), "\(output)")
    #expect(output.contains("You have 2."), "\(output)")
    #expect(output.contains("\(Sentence.lost): /home/"), "\(output)")
    #expect(sources.contains("panda: nothing can be saved: /home/"), "\(sources)")
    #expect(sources.contains("not asked yet") && sources.contains("status 0"), "\(sources)")
    // A command would be over before anyone saw what it keeps until then.
    let removed = try run(place, "remove --all", input: "")
    #expect(removed.contains("panda: Nothing was changed: /home/"), "\(removed)")
    #expect(removed.contains("status 4") && !removed.contains(Sentence.removed), "\(removed)")
    // Fault 111: what can be read can be rescued.
    for (name, command) in [("backup", "backup"), ("export", "export"), ("copy", "copy --to")] {
      let saved = try run(place, "\(command) \(directory.path(name))", input: "")
      #expect(saved.contains("1 panda") && saved.contains("status 0"), "\(saved)")
    }
    let changed = try run(
      place, "--plain --source grove", input: "fetch\nfavorite\nbackup \(directory.path("two"))\n")
    #expect(changed.contains("No backup was made: /home/"), "\(changed)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("two")))
  }

  @Test func `unsaved favorites are reported after the screen closes`() async throws {
    try Data().write(to: directory.url.appending(path: "data"))
    let panda = try PandaDriver(directory, source: "grove", columns: 150)
    try await panda.tmux.expect(text: "not saved")
    try await panda.favorite(1)
    try panda.press(.program(.quit))
    #expect(try await panda.tmux.waitForExit() == .exited(4))
    try await panda.tmux.expect(text: "panda: \(Sentence.lost): ")
  }

  @Test func `fault 108: a failure while the program leaves is reported after its screen`()
    async throws
  {
    let data = directory.path("data")
    let kept = try Subprocess.run(
      [
        BuildProducts.path(of: "panda"), "fetch", "--source", "grove", "--keep", "--data-dir", data,
      ], environment: ["HOME=\(directory.url.path)"])
    #expect(kept.status == 0, "\(kept.output)")
    let panda = try PandaDriver(directory, source: "grove", columns: 150)
    try await panda.expect(favorites: 1)
    // The count is shown before the file is open for changes, and a lock would refuse that.
    // The last one seen is shown first, and it is kept.
    try panda.press(.card(.fetch))
    try await panda.favorite(1, after: 1)
    let lock = try Database(path: "\(data)/favorites.sqlite")
    try lock.execute("BEGIN IMMEDIATE")
    try panda.press(.favorites(.undo), .program(.quit))
    #expect(try await panda.tmux.waitForExit() == .exited(4))
    try await panda.tmux.expect(text: "panda: Undo failed: \(lockedMessage)")
    withExtendedLifetime(lock) {}
  }
}
