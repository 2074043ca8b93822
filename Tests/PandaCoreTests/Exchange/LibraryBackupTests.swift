import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// The copy of the whole file.
@MainActor
@Suite struct LibraryBackupTests {
  let fixture = ExchangeFixture()

  private func names() throws -> [String] {
    try fixture.names().filter { !$0.hasPrefix("library") }
  }

  @Test func `a backup has favorites, pictures, trash and history, and can take the file's place`()
    async throws
  {
    let library = fixture.library()
    for number in 1...5 { try await library.save(.sample(number, savedAt: nil)) }
    try await library.setCaption("asleep", of: [.sample(2)])
    try await library.remove([.sample(3)])
    let report = try await library.backup(to: fixture.path("copy.sqlite"))
    #expect(report == BackupReport(count: 4, unreadable: 0))
    #expect(try names() == ["copy.sqlite"])
    let mode = try FileManager.default.attributesOfItem(atPath: fixture.path("copy.sqlite"))
    #expect(mode[.posixPermissions] as? Int == 0o600)

    try FileManager.default.createDirectory(
      atPath: fixture.path("library-restored"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: fixture.path("copy.sqlite"),
      toPath: fixture.path("library-restored/favorites.sqlite"))
    let restored = fixture.library("library-restored")
    try await restored.favorites.itemsHaveLoaded()
    #expect(restored.favorites.items == library.favorites.items)
    for image in restored.favorites.items { _ = try await image.dataRepresentation.data() }
    #expect(try await restored.undo()?.change.kind == .removed(ids: [RemoteImage.sample(3).id]))
    #expect(restored.favorites.items.count == 5)
  }

  @Test func `a backup replaces a file only if allowed, and never the favorites`() async throws {
    let library = try await fixture.library([.sample(1)])
    try fixture.write(Data("mine".utf8), to: "copy.sqlite")
    let copy = fixture.path("copy.sqlite")
    await #expect(throws: ExchangeError(.exists, path: copy)) {
      try await library.backup(to: copy)
    }
    #expect(try fixture.bytes("copy.sqlite") == Data("mine".utf8))
    #expect(try await library.backup(to: copy, replacing: true).count == 1)
    let first = try fixture.bytes("copy.sqlite")
    #expect(first.starts(with: Data("SQLite format 3".utf8)))

    for suffix in ["", "-wal", "-shm"] {
      let own = fixture.path("library/favorites.sqlite\(suffix)")
      let link = fixture.path("link\(suffix)")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: own)
      for path in [own, link] {
        await #expect(throws: ExchangeError(.favoritesThemselves, path: path)) {
          try await library.backup(to: path, replacing: true)
        }
      }
    }
    await #expect(throws: FileError(.write, fixture.path("no/copy"), code: ENOENT)) {
      try await library.backup(to: fixture.path("no/copy"))
    }
    await #expect(throws: FileError(.write, fixture.path("library"), code: EISDIR)) {
      try await library.backup(to: fixture.path("library"), replacing: true)
    }
    try await library.save(.sample(2))
    #expect(try names() == ["copy.sqlite", "link", "link-shm", "link-wal"])
    #expect(try fixture.bytes("copy.sqlite") == first)
  }

  @Test func `a favorite without its bytes is reported`() async throws {
    let library = try await fixture.library([.sample(1), .sample(2)])
    await library.close()
    let database = try Database(path: fixture.path("library/favorites.sqlite"))
    try database.execute("UPDATE attachment SET bytes = zeroblob(byteCount) WHERE id = 1")
    let report = try await library.backup(to: fixture.path("copy"))
    #expect(report == BackupReport(count: 2, unreadable: 1))
  }

  @Test func `a backup that lacks favorites replaces no other`() async throws {
    let library = try await fixture.library([.sample(1), .sample(2)])
    let copy = fixture.path("copy")
    _ = try await library.backup(to: copy)
    let former = try fixture.bytes("copy")
    await library.close()
    let database = try Database(path: fixture.path("library/favorites.sqlite"))
    try database.execute("UPDATE attachment SET bytes = zeroblob(byteCount) WHERE id = 1")
    for (library, count) in [(library, 1), (fixture.library("library-empty"), 0)] {
      await #expect(throws: ExchangeError(.mayHaveMore(than: count), path: copy)) {
        try await library.backup(to: copy, replacing: true)
      }
    }
    #expect(try fixture.bytes("copy") == former)
    #expect(try names() == ["copy"])
  }

  @Test func `favorites in memory cannot be backed up or imported into`() async throws {
    let library = ImageLibrary(favorites: Store.loadingInBackground(storage: MemoryStorageEngine()))
    await #expect(throws: ExchangeError(.nothingStored, path: fixture.path("copy"))) {
      try await library.backup(to: fixture.path("copy"))
    }
    #expect(try names() == [])
  }

  @Test func `a canceled backup leaves nothing`() async throws {
    let library = try await fixture.library((1...9).map { .sample($0) })
    let path = fixture.path("copy")
    let task = Task {
      try await library.backup(to: path) { progress in
        if progress.done == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try names() == [])
  }
}
