import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Engines in place of a file that cannot be written: faults 41 and 74.
@MainActor
@Suite struct UnsavedEngineTests {
  let directory = TemporaryDirectory()

  /// An engine over the file, as if that could not be written.
  private func unsaved(_ namespace: String = "Note") throws -> UnsavedStorageEngine {
    UnsavedStorageEngine(
      UnsavedFile(over: try directory.readOnlyEngine(namespace)),
      reason: .readOnly(path: directory.path("store/pantry.sqlite")), namespace: namespace,
      now: { Date(timeIntervalSince1970: 7) })
  }

  @Test func `fault 74: existing items are shown and changed, and the file stays as it is`()
    async throws
  {
    let writing = try directory.engine("Note")
    let notes = Note.numbered(0..<3)
    try await Store<Note>(storage: writing).add(notes)
    let engine = try unsaved()
    let store = try await Store<Note>(storage: engine)
    #expect(store.items == notes)
    #expect(await engine.unsavedChanges(of: Note.self).isEmpty)
    try await store.add([Note(id: "new"), Note(id: notes[1].id, text: "changed")])
    try await store.remove(notes[0])
    let expected = [Note(id: notes[1].id, text: "changed"), notes[2], Note(id: "new")]
    #expect(store.items == expected)
    #expect(try await Store<Note>(storage: engine.engine(namespace: "Note")).items == expected)
    let changes = await engine.unsavedChanges(of: Note.self)
    #expect((changes.added, changes.changed, changes.removed) == (1, 1, 1))
    #expect(try await Store<Note>(storage: writing).items == notes)
    // What is undone needs no saving.
    try await store.add(notes[0])
    try await store.remove(Note(id: "new"))
    try await store.add(notes[1])
    #expect(await engine.unsavedChanges(of: Note.self).isEmpty)
    try await store.removeAll()
    #expect(await engine.unsavedChanges(of: Note.self).removed == 3)
  }

  @Test func `times are those of the file, or of the change`() async throws {
    let writing = try directory.engine("Note")
    let (old, new) = (CacheKey(verbatim: "old"), CacheKey(verbatim: "new"))
    try await writing.write(Data("1".utf8), key: old)
    let engine = try unsaved()
    #expect(try await engine.createdAt(key: old) == writing.createdAt(key: old))
    #expect(try await engine.updatedAt(key: old) == writing.updatedAt(key: old))
    try await engine.write([(key: old, data: Data("2".utf8)), (key: new, data: Data())])
    #expect(try await engine.createdAt(key: old) == writing.createdAt(key: old))
    #expect(try await engine.updatedAt(key: old) == Date(timeIntervalSince1970: 7))
    #expect(try await engine.createdAt(key: new) == Date(timeIntervalSince1970: 7))
    #expect(try await engine.createdAt(key: CacheKey("none")) == nil)
  }

  @Test func `attachments are read from the file, and only new ones are in memory`() async throws {
    let (kept, fresh) = (Data.noise(5_000, seed: 1), Data.noise(6_000, seed: 2))
    let writing = try directory.engine("Photo")
    try await Store<Photo>(storage: writing).add(Photo(id: "kept", picture: Attachment(kept)))
    let engine = try unsaved("Photo")
    let store = try await Store<Photo>(storage: engine)
    let album = try await Store<Photo>(storage: engine.engine(namespace: "Album"))
    var photo: Photo? = Photo(id: "fresh", picture: Attachment(fresh))
    let digest = ContentDigest(of: fresh)
    try await store.transaction(with: album) { [photo] t in
      for photo in [photo].compactMap(\.self) {
        t.add(photo, to: store)
        t.add(photo, to: album)
      }
      t.add(store.items[0], to: album)
    }
    #expect(try await store.items[0].picture.data() == kept)
    #expect(try await album.items[1].picture.data() == kept)
    #expect(try await store.items[1].picture.data() == fresh)
    // As long as a row or a value refers to it.
    try await store.remove(store.items[1])
    #expect(try await album.items[0].picture.data() == fresh)
    try await album.removeAll()
    #expect(try await photo?.picture.data() == fresh)
    photo = nil
    try await eventually("the picture is freed") {
      await engine.sweepAttachments()
      return try await engine.attachmentData(for: digest) == nil
    }
  }

  @Test func `a transaction over engines of one file is joint, and of two files is refused`()
    async throws
  {
    let engine = try { try directory.engine("Note") }()
    try await engine.write(Data(#"{"id":"a","text":""}"#.utf8), key: CacheKey(verbatim: "a"))
    let store = try await Store<Note>(storage: unsaved())
    let other = try await Store<Note>(storage: unsaved())
    await #expect(throws: StorageError.notJoint) {
      try await store.transaction(with: other) { t in t.removeAll(from: other) }
    }
    #expect(other.items.count == 1)
  }

  @Test func `a file that can be written needs no such engine, even before it exists`() throws {
    let place = directory.storage
    #expect(UnsavedStorageEngine(unlessWritable: "pantry.sqlite", in: place) == nil)
    _ = try directory.engine()
    #expect(UnsavedStorageEngine(unlessWritable: "pantry.sqlite", in: place) == nil)
  }

  @Test func `fault 41: a place that is a file, or below one, is named`() async throws {
    let path = directory.path("file")
    try Data().write(to: URL(filePath: path))
    for (place, reason) in [
      (path, "it is a file, not a directory"), (path + "/below", "part of its path is a file"),
    ] {
      let engine = try #require(
        UnsavedStorageEngine(
          unlessWritable: "a.sqlite", in: StorageDirectory(url: URL(filePath: place))))
      #expect(engine.reason == .cannotCreate(path: place, reason: reason))
      let store = try await Store<Note>(storage: engine)
      try await store.add(Note(id: "a"))
      #expect(await engine.unsavedChanges(of: Note.self).added == 1)
    }
    // Where the file should be, there is a directory.
    let storage = StorageDirectory(url: directory.url)
    try FileManager.default.createDirectory(
      atPath: directory.path("a.sqlite"), withIntermediateDirectories: false)
    let engine = UnsavedStorageEngine(unlessWritable: "a.sqlite", in: storage)
    #expect(engine?.reason.description.contains("it is a directory, not a file") == true)
  }
}
