import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// The last process that closes a file leaves it complete: a file copied over it is the one that
/// opens.
@MainActor
@Suite struct LastCloserTests {
  let directory = TemporaryDirectory()

  var path: String { directory.storage.url.appending(path: "pantry.sqlite").path }

  /// Fills the file as a program does that ends in order.
  func run(_ ids: Range<Int>) async throws {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note.numbered(ids))
    for note in Note.numbered(ids.prefix(20)) { try await store.add(note) }
    try await engine.close()
  }

  /// Puts the content of another file in the place of the database, as cp(1) does: without any
  /// other file beside it.
  func copyOver(_ other: URL) throws {
    let content = try Data(contentsOf: other)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: content)
    try file.close()
  }

  @Test func `no log with content stays`() async throws {
    try await run(0..<200)
    let log = FileManager.default.contents(atPath: path + "-wal") ?? Data()
    #expect(log.isEmpty)
  }

  @Test(arguments: ["an older backup", "another database"])
  func `a file copied over it is the one that opens`(_ what: String) async throws {
    let copy = directory.url.appending(path: "copy.sqlite")
    if what == "an older backup" {
      try await run(0..<200)
      try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    } else {
      let other = TemporaryDirectory()
      let engine = try other.engine()
      try await Store<Note>(storage: engine).add(Note.numbered(0..<200))
      try await engine.backup(to: copy)
    }
    try await run(200..<550)
    try copyOver(copy)
    let store = try await nextLaunch { try await Store<Note>(storage: directory.engine()) }
    #expect(store.items == Note.numbered(0..<200))
    let check = try directory.database().statement("PRAGMA quick_check")
    #expect(try check.step() && check.text(0) == "ok")
  }

  @Test func `another process that has the file open keeps its log`() async throws {
    let place = directory.storage.url.path(percentEncoded: false)
    let probe = try ProbeProcess("PantryLiveProbe", ["hold", place, "held"])
    #expect(await probe.line() == "held")
    try await run(0..<200)
    try probe.write("go on")
    #expect(await probe.line() == "saved")
    let store = try await nextLaunch { try await Store<Note>(storage: directory.engine()) }
    #expect(store.items.count == 202)
  }
}
