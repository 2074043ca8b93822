import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// When the bytes go to which no row refers any more.
@MainActor
@Suite struct AttachmentSweepTests {
  let directory = TemporaryDirectory()

  func count() throws -> Int64? {
    try directory.database().integer("SELECT count(*) FROM attachment")
  }

  /// Adds a photo and removes it again; the value is released then.
  func leaveBytes(in store: Store<Photo>) async throws {
    try await store.add(Photo(id: "gone", picture: Attachment(.noise(20_000, seed: 1))))
    try await store.remove(store.items[0])
    #expect(try count() == 1)
  }

  @Test func `unreferenced bytes are freed at the end of a program`() async throws {
    let engine = try directory.engine("Photo")
    try await leaveBytes(in: Store<Photo>(storage: engine))
    try await engine.close()
    #expect(try count() == 0)
    #expect(try directory.database().integer("SELECT count(*) FROM unreferenced") == 0)
  }

  @Test func `bytes stay while another process has the file open, unless swept explicitly`()
    async throws
  {
    let engine = try directory.engine("Photo")
    let other = SQLiteNotifyFile(of: engine.file.location)
    other.openIfNeeded()
    try await leaveBytes(in: Store<Photo>(storage: engine))
    try await engine.close()
    #expect(try count() == 1)
    try await engine.sweepAttachments()
    #expect(try count() == 0)
  }

  @Test func `leftover bytes are freed some time after the next opening`() async throws {
    do {
      let engine = try directory.engine("Photo")
      try await leaveBytes(in: Store<Photo>(storage: engine))
    }
    let store = try await nextLaunch { try await Store<Photo>(storage: directory.engine("Photo")) }
    #expect(store.items.isEmpty)
    try await eventually("the bytes are gone") { try count() == 0 }
  }

  @Test func `bytes referenced again stay`() async throws {
    let engine = try directory.engine("Photo")
    let store = try await Store<Photo>(storage: engine)
    let bytes = Data.noise(20_000, seed: 1)
    try await leaveBytes(in: store)
    try await store.add(Photo(id: "again", picture: Attachment(bytes)))
    try await engine.close()
    try await engine.sweepAttachments()
    #expect(try count() == 1)
    #expect(try await store.items[0].picture.data() == bytes)
  }

  @Test func `bytes that go from one store to another are never swept, those of both are`()
    async throws
  {
    let engine = try directory.engine("Photo")
    let store = try await Store<Photo>(storage: engine)
    let trash = try await Store<Photo>(storage: engine.engine(namespace: "trash"))
    func unreferenced() throws -> Int64? {
      try directory.database().integer("SELECT count(*) FROM unreferenced")
    }
    try await store.add(
      (1...2).map { Photo(id: "\($0)", picture: Attachment(.noise(20_000, seed: $0))) })
    for _ in 1...2 {
      // The second time, the trash has them already.
      let items = store.items
      try await store.transaction(with: trash) { t in
        t.add(items, to: trash)
        t.removeAll(from: store)
      }
      #expect(try unreferenced() == 0)
      try await store.add(items)
    }
    try await store.transaction(with: trash) { t in
      t.remove(store.items[0], from: store)
      t.removeAll(from: trash)
    }
    #expect(try unreferenced() == 1)
    try await engine.close()
    #expect(try count() == 1)
  }

  @Test func `rows deleted in the sqlite3 shell are swept too`() async throws {
    let engine = try directory.engine("Photo")
    do {
      let store = try await Store<Photo>(storage: engine)
      try await store.add(Photo(id: "a", picture: Attachment(.noise(20_000, seed: 1))))
      try directory.database().execute("DELETE FROM item")
      try await eventually("it is seen") { store.items.isEmpty }
    }
    try await eventually("no value is alive") {
      try await engine.sweepAttachments()
      return try count() == 0
    }
  }

  @Test func `an explicit sweep frees many at once`() async throws {
    let engine = try directory.engine("Photo")
    let store = try await Store<Photo>(storage: engine)
    try await store.add(
      (0..<100).map { Photo(id: "\($0)", picture: Attachment(.noise(100, seed: UInt64($0)))) })
    try await store.removeAll()
    try await engine.sweepAttachments()
    #expect(try count() == 0)
  }
}
