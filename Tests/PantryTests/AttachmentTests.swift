import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct AttachmentTests {
  let directory = TemporaryDirectory()

  /// How many attachments the file holds.
  func storedCount() throws -> Int64? {
    try directory.database().integer("SELECT count(*) FROM attachment")
  }

  /// The number of attachments in the file after sweeping unreferenced ones.
  func sweptCount() async throws -> Int64? {
    try await directory.engine("Photo").sweepAttachments()
    return try storedCount()
  }

  func store() async throws -> Store<Photo> {
    try await Store<Photo>(storage: directory.engine("Photo"))
  }

  @Test func `bytes leave memory once stored, and are read back on demand`() async throws {
    let store = try await store()
    let bytes = Data.noise(300_000, seed: 1)
    let photo = Photo(id: "a", picture: Attachment(bytes))
    #expect(photo.picture.byteCount == 300_000)
    try await store.add(photo)
    #expect(photo.picture.content.bytesInMemory == nil)
    #expect(store.items[0].picture.content.bytesInMemory == nil)
    #expect(try await photo.picture.data() == bytes)
    let relaunched = try await self.store()
    #expect(relaunched.items == [photo])
    #expect(relaunched.items[0].picture.content.bytesInMemory == nil)
    #expect(try await relaunched.items[0].picture.data() == bytes)
  }

  @Test func `a row holds a small readable reference, not the bytes`() async throws {
    let store = try await store()
    let photo = Photo(id: "a", picture: Attachment(.noise(100_000, seed: 1)))
    try await store.add(photo)
    let row = try await directory.engine("Photo").read(key: CacheKey(verbatim: "a"))
    let text = String(decoding: row ?? Data(), as: UTF8.self)
    #expect(text.count < 200)
    #expect(text.contains(photo.picture.digest.hexadecimal))
    // The sqlite3 shell's JSON functions read it too.
    let count = try directory.database().integer(
      "SELECT json_extract(data, '$.picture.byteCount') FROM item")
    #expect(count == 100_000)
  }

  @Test
  func `identical bytes are stored once for all namespaces, until the last reference is removed`()
    async throws
  {
    let bytes = Data.noise(50_000, seed: 2)
    let store = try await store()
    let other = try await Store<Photo>(storage: directory.engine("Other"))
    try await store.add([
      Photo(id: "a", picture: Attachment(bytes)), Photo(id: "b", picture: Attachment(bytes)),
    ])
    try await other.add(Photo(id: "c", picture: Attachment(bytes)))
    #expect(try await sweptCount() == 1)
    try await store.remove(store.items[0])
    try await store.removeAll()
    #expect(try await sweptCount() == 1)
    #expect(try await other.items[0].picture.data() == bytes)
    try await other.removeAll()
    #expect(try await sweptCount() == 0)
    #expect(try directory.database().integer("SELECT count(*) FROM item_attachment") == 0)
  }

  @Test func `a live value keeps its bytes readable after its removal`() async throws {
    let store = try await store()
    let photos = (0..<5).map {
      Photo(id: "\($0)", picture: Attachment(.noise(20_000, seed: UInt64($0))))
    }
    try await store.add(photos)
    let relaunched = try await self.store()
    let onScreen = relaunched.items[2]
    try await relaunched.remove(onScreen)
    #expect(try await sweptCount() == 5)
    #expect(try await onScreen.picture.data() == .noise(20_000, seed: 2))
    // Even after other transactions, and after everything was removed.
    let alsoOnScreen = relaunched.items[0]
    try await relaunched.removeAll()
    try await relaunched.add(Photo(id: "x", picture: Attachment(.noise(20_000, seed: 9))))
    // Those of the first array of photos too.
    #expect(try await sweptCount() == 6)
    #expect(try await onScreen.picture.data() == .noise(20_000, seed: 2))
    #expect(try await alsoOnScreen.picture.data() == .noise(20_000, seed: 0))
    // And it can be stored again.
    try await relaunched.add(onScreen)
    #expect(try await self.store().items.last?.picture.data() == .noise(20_000, seed: 2))
    withExtendedLifetime(photos) {}
  }

  @Test func `a live value outlives a removal by another engine on the file`() async throws {
    let bytes = Data.noise(20_000, seed: 3)
    let store = try await store()
    try await store.add(Photo(id: "a", picture: Attachment(bytes)))
    let onScreen = store.items[0]
    let other = try await self.store()
    try await other.removeAll()
    #expect(try await sweptCount() == 1)
    #expect(try await onScreen.picture.data() == bytes)
  }

  @Test func `engines that free attachments concurrently keep live ones`() async throws {
    var stores: [Store<Photo>] = []
    for number in 0..<4 {
      stores.append(try await Store<Photo>(storage: directory.engine("Photo\(number)")))
    }
    var held: [(Photo, Data)] = []
    for (number, store) in stores.enumerated() {
      let photos = (0..<20).map {
        Photo(id: "\($0)", picture: Attachment(.noise(3_000, seed: UInt64(number * 100 + $0))))
      }
      try await store.add(photos)
      held += photos.enumerated().map {
        ($1, .noise(3_000, seed: UInt64(number * 100 + $0)))
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask { for photo in await store.items { try await store.remove(photo) } }
      }
      try await group.waitForAll()
    }
    #expect(try await sweptCount() == 80)
    for (photo, bytes) in held { #expect(try await photo.picture.data() == bytes) }
    held = []
    #expect(try await sweptCount() == 0)
  }

  @Test func `a picture can move between items within one chain`() async throws {
    let store = try await store()
    let bytes = Data.noise(5_000, seed: 4)
    try await store.add(Photo(id: "a", picture: Attachment(bytes)))
    let picture = store.items[0].picture
    try await store.remove(store.items[0]).add(Photo(id: "b", picture: picture)).run()
    #expect(try await sweptCount() == 1)
    #expect(try await self.store().items[0].picture.data() == bytes)
  }

  @Test func `missing or damaged bytes are an error of data(), not of the item`() async throws {
    let store = try await store()
    try await store.add([
      Photo(id: "a", picture: Attachment(.noise(5_000, seed: 1))),
      Photo(id: "b", picture: Attachment(.noise(5_000, seed: 2))),
    ])
    let digest = store.items[0].picture.digest
    let database = try directory.database()
    try database.statement("UPDATE attachment SET bytes = x'00' WHERE digest = ?")
      .run(.blob(Data(digest.bytes)))
    try database.statement("DELETE FROM attachment WHERE digest <> ?")
      .run(.blob(Data(digest.bytes)))
    let relaunched = try await self.store()
    #expect(relaunched.items.count == 2)
    await #expect(throws: StorageError.attachmentDamaged(digest)) {
      try await relaunched.items[0].picture.data()
    }
    await #expect(throws: StorageError.attachmentMissing(relaunched.items[1].picture.digest)) {
      try await relaunched.items[1].picture.data()
    }
  }

  @Test func `an engine without attachments gets the bytes inline, even those stored elsewhere`()
    async throws
  {
    let bytes = Data.noise(8_000, seed: 5)
    let store = try await store()
    try await store.add(Photo(id: "a", picture: Attachment(bytes)))
    let engine = MemoryStorageEngine()
    let inline = try await Store<Photo>(storage: engine)
    try await inline.add(store.items[0])
    try await inline.add(Photo(id: "b", picture: Attachment(bytes)))
    let again = try await Store<Photo>(storage: ReopenedEngine(engine))
    #expect(again.items == inline.items)
    #expect(try await again.items[0].picture.data() == bytes)
    #expect(try await again.items[1].picture.data() == bytes)
  }

  @Test func `attachments with equal content are equal`() async throws {
    let bytes = Data.noise(1_000, seed: 6)
    let fresh = Attachment(bytes)
    #expect(fresh == Attachment(bytes))
    #expect(fresh != Attachment(.noise(1_000, seed: 7)))
    #expect(fresh != Attachment(bytes.dropLast()))
    let store = try await store()
    try await store.add(Photo(id: "a", picture: Attachment(bytes)))
    #expect(store.items[0].picture == fresh)
    #expect(Set([store.items[0].picture, fresh]).count == 1)
  }

  @Test func `an empty attachment is an attachment`() async throws {
    let store = try await store()
    try await store.add(Photo(id: "a", picture: Attachment(Data())))
    let relaunched = try await self.store()
    #expect(relaunched.items[0].picture.byteCount == 0)
    #expect(try await relaunched.items[0].picture.data() == Data())
  }

  @Test func `outside a store new bytes are encoded in full`() throws {
    let photo = Photo(id: "a", picture: Attachment(.noise(100, seed: 8)))
    let decoded = try JSONDecoder().decode(Photo.self, from: JSONEncoder().encode(photo))
    #expect(decoded == photo)
  }

  @Test func `fault 90: outside a store, stored bytes are not encoded as a mere reference`()
    async throws
  {
    let bytes = Data.noise(1_000, seed: 10)
    let store = try await store()
    try await store.add(Photo(id: "a", picture: Attachment(bytes)))
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(store.items) }
    #expect("\(try #require(error))".contains("Attachment(try await attachment.data())"))
    var copy = store.items[0]
    copy.picture = Attachment(try await copy.picture.data())
    let decoded = try JSONDecoder().decode(Photo.self, from: JSONEncoder().encode(copy))
    #expect(try await decoded.picture.data() == bytes)
  }

  @Test func `an item that Foundation has to encode has its attachments once`() async throws {
    let photo = TracedPhoto(picture: Attachment(.noise(100, seed: 9)))
    let coder = RowCoder(storage: try directory.engine("Photo"))
    #expect(try coder.encodeReference(photo).attachments == [photo.picture])
    #expect(try await coder.encode(photo).attachments == [photo.picture])
    let inlined = try await RowCoder(storage: MemoryStorageEngine()).encode(photo)
    #expect(inlined.attachments.isEmpty)
    #expect(String(decoding: inlined.data, as: UTF8.self).contains("base64"))
  }
}

/// Asks its encoder for a path, which only Foundation's has, after the picture.
private struct TracedPhoto: Encodable {
  let picture: Pantry.Attachment

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(picture)
    try list.encode(list.codingPath.map(\.stringValue))
  }
}
