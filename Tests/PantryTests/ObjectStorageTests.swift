import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@Suite struct ObjectStorageTests {
  private func key(_ text: String) -> CacheKey { CacheKey(verbatim: text) }

  @Test(arguments: EngineKind.allCases)
  func `objects come back under their keys, in insertion order`(_ kind: EngineKind) async throws {
    let objects = ObjectStorage<Note>(storage: try TestStorage(kind).open())
    let rows = ["z", "a", "m"].map { (key: key($0), object: Note(id: $0, text: "text")) }
    try await objects.store(rows[0].object, forKey: rows[0].key)
    try await objects.store(Array(rows[1...]))
    #expect(try await objects.allObjects() == rows.map(\.object))
    #expect(try await objects.allObjectsAndKeys().map(\.key) == rows.map(\.key))
    #expect(try await objects.object(forKey: key("a")) == rows[1].object)
    #expect(try await objects.object(forKey: key("absent")) == nil)
    let asked = ["m", "absent", "z"].map(key)
    #expect(try await objects.objects(forKeys: asked).map(\.id) == ["m", "z"])
    #expect(try await objects.objectsAndKeys(keys: asked).map(\.key) == [key("m"), key("z")])
    #expect(try await objects.keysExist(asked) == [key("m"), key("z")])
    #expect(try await objects.keyExists(key("m")))
    try await objects.store(Note(id: "z", text: "changed"), forKey: key("z"))
    #expect(try await objects.allKeys() == rows.map(\.key))
    let created = try #require(try await objects.createdAt(forKey: key("z")))
    let updated = try #require(try await objects.updatedAt(forKey: key("z")))
    #expect(created <= updated)
    try await objects.removeObject(forKey: key("a"))
    try await objects.removeObjects(forKeys: [key("z"), key("absent")])
    #expect(try await objects.keyCount() == 1)
    try await objects.removeAllObjects()
    #expect(try await objects.allObjects().isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `a list is read a page at a time`(_ kind: EngineKind) async throws {
    let objects = ObjectStorage<Note>(storage: try TestStorage(kind).open())
    let notes = Note.numbered(0..<25)
    try await objects.store(notes.map { (key: key($0.id), object: $0) })
    var read: [Note] = []
    var last: CacheKey?
    while true {
      let page = try await objects.objectsAndKeys(after: last, limit: 10)
      guard !page.isEmpty else { break }
      #expect(page.count <= 10)
      read += page.map(\.object)
      last = page.last?.key
    }
    #expect(read == notes)
  }

  @Test(arguments: EngineKind.allCases)
  func `a row that cannot be decoded is an error that names it, and hides no other`(
    _ kind: EngineKind
  ) async throws {
    let engine = try TestStorage(kind).open()
    let objects = ObjectStorage<Note>(storage: engine)
    try await objects.store(Note(id: "good"), forKey: key("good"))
    try await engine.write(Data("{\"id\": 7}".utf8), key: key("bad"))
    let issue = LoadIssue(
      key: key("bad"), reason: "It is not a String at id.", data: Data(#"{"id": 7}"#.utf8))
    await #expect(throws: issue) { try await objects.object(forKey: key("bad")) }
    await #expect(throws: issue) { try await objects.allObjects() }
    #expect(try await objects.objects(forKeys: [key("good")]) == [Note(id: "good")])
  }

  @Test(arguments: EngineKind.allCases)
  func `attachments are stored and removed with their objects`(_ kind: EngineKind) async throws {
    let objects = ObjectStorage<Photo>(storage: try TestStorage(kind).open())
    let bytes = Data.noise(10_000, seed: 5)
    try await objects.store(Photo(id: "a", picture: Attachment(bytes)), forKey: key("a"))
    let photo = try #require(try await objects.object(forKey: key("a")))
    #expect(try await photo.picture.data() == bytes)
    // Written again from the read object, without its bytes in memory.
    try await objects.store(photo, forKey: key("b"))
    try await objects.removeObject(forKey: key("a"))
    let copy = try #require(try await objects.object(forKey: key("b")))
    #expect(try await copy.picture.data() == bytes)
  }

  @Test func `an encoding error is thrown before anything is written`() async throws {
    let engine = MemoryStorageEngine()
    let numbers = ObjectStorage<[Double]>(storage: engine)
    await #expect(throws: EncodingError.self) {
      try await numbers.store([(key: key("a"), object: [1]), (key: key("b"), object: [.nan])])
    }
    #expect(await engine.keyCount() == 0)
  }
}
