import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Recoveries that end early, and logs that do not belong to their file.
@MainActor
@Suite struct RecoveryCrashTests {
  /// The end of a process at a step.
  private struct Killed: Error {}

  /// A file that is damaged, with changes that only its log has.
  private func damagedFile() async throws -> (FileToDamage, TemporaryDirectory) {
    let file = try await FileToDamage(20, pictures: 500)
    try await file.close()
    let store = try await Store<Photo>(storage: file.directory.engine("Photo"))
    try await store.add(Photo(id: "in the log", picture: Attachment(Data("log".utf8))))
    let copy = try file.copied()
    try copy.damage { RecoveryTests.Damage.firstPage.apply(to: &$0) }
    return (file, copy)
  }

  @Test(arguments: SQLiteReplacement.Step.allCases)
  func `fault 42: after a kill at any step, the next start has all rows and the original`(
    _ step: SQLiteReplacement.Step
  ) async throws {
    let (file, copy) = try await damagedFile()
    let original = try Data(contentsOf: copy.file)
    let log = try Data(contentsOf: URL(filePath: copy.file.path + "-wal"))
    var recovery = SQLiteRecovery(
      SQLiteLocation("pantry.sqlite", in: copy.storage), firstName: "Photo")
    recovery.replacement.willTake = { if $0 == step { throw Killed() } }
    #expect(throws: Killed.self) { try recovery.run(at: RecoveryTests.date) }

    let engine = copy.deferredEngine()
    // Before the damaged file has its new name, nothing has happened; then it continues.
    let isDecided = step != .begin && step != .keepFile
    if isDecided {
      #expect(try await engine.keyCount() == file.photos.count + 1)
      #expect(try await engine.recover() == nil)
    } else {
      try await engine.recover(at: RecoveryTests.date)
    }
    #expect(
      Set(try await copy.soundKeys()) == Set(file.photos.keys).union(["in the log"]))
    let kept = copy.file.path + ".corrupt-20261122-164932"
    #expect(try Data(contentsOf: URL(filePath: kept)) == original)
    #expect(try Data(contentsOf: URL(filePath: kept + "-wal")) == log)
    #expect(try !copy.names.contains { $0.contains(".recovered") })
  }

  @Test func `fault 42: a process killed at any statement leaves the damaged file as it was`()
    async throws
  {
    let (file, damaged) = try await damagedFile()
    for statement in [1, 2, 6, 15, 40, 90, 200, 100_000] {
      let copy = TemporaryDirectory(inMemory: true)
      try FileManager.default.copyItem(at: damaged.storage.url, to: copy.storage.url)
      let probe = try ProbeProcess(
        "PantryLiveProbe",
        ["recover", copy.storage.url.path(percentEncoded: false), "Photo", "\(statement)"])
      let hasSucceeded = await probe.hasSucceeded()
      if !hasSucceeded {
        #expect(try !copy.names.contains { $0.contains(".corrupt-") }, "statement \(statement)")
        try await copy.deferredEngine().recover()
      }
      #expect(hasSucceeded == (statement == 100_000) || statement > 40)
      #expect(
        Set(try await copy.soundKeys()) == Set(file.photos.keys).union(["in the log"]))
    }
  }

  // MARK: Logs

  @Test func `fault 43: without its log a file opens, or is recovered`() async throws {
    let (file, copy) = try await damagedFile()
    try FileManager.default.removeItem(atPath: copy.file.path + "-wal")
    try await copy.deferredEngine().recover()
    // Two seconds after the change it is in the file, too.
    let keys = Set(try await copy.soundKeys())
    #expect(keys.subtracting(["in the log"]) == Set(file.photos.keys))
  }

  @Test func `fault 43: a log that is cut short counts up to its last whole commit`() async throws {
    let (file, copy) = try await damagedFile()
    let log = URL(filePath: copy.file.path + "-wal")
    try Data(contentsOf: log).dropLast(5_000).write(to: log)
    try await copy.deferredEngine().recover()
    #expect(Set(try await copy.soundKeys()).isSuperset(of: file.photos.keys))
  }

  @Test func `fault 75: a backup that was copied over the file beside its log is used alone`()
    async throws
  {
    let file = try await FileToDamage(200, pictures: 500)
    try await file.close()
    let backup = file.directory.url.appending(path: "backup.sqlite")
    try await file.directory.engine("Photo").backup(to: backup)
    let store = try await Store<Photo>(storage: file.directory.engine("Photo"))
    for number in 0..<60 {
      try await store.add(
        Photo(id: "new-\(number)", picture: Attachment(.noise(9_000, seed: UInt64(900 + number)))))
    }
    try await store.remove(Array(store.items.prefix(8)))
    // As after a kill: the log is still there.
    let copy = try file.copied()
    try Data(contentsOf: backup).write(to: copy.file)
    let log = try Data(contentsOf: URL(filePath: copy.file.path + "-wal"))

    let engine = copy.deferredEngine()
    let report = try #require(try await engine.recover(at: RecoveryTests.date))
    #expect(report.cause == .foreignLog)
    #expect(report.missingAttachments == 0)
    #expect(Set(try await copy.soundKeys()) == Set(file.photos.keys))
    #expect(try Data(contentsOf: URL(filePath: report.originalPath + "-wal")) == log)
  }
}
