import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Attachments on every engine: in rows of their own, or inline where the engine has none.
@MainActor
@Suite struct EngineAttachmentTests {
  static let byteCount = 60_000

  func photo(_ id: String, _ seed: UInt64) -> Photo {
    Photo(id: id, picture: Attachment(.noise(Self.byteCount, seed: seed)))
  }

  /// How many pictures' worth of bytes the storage holds, wherever it holds them.
  func pictures(in storage: TestStorage) async throws -> Int {
    let byteCount: Int
    switch storage.kind {
    case .sqlite:
      try await storage.directory.engine("Photo").sweepAttachments()
      let database = try storage.directory.database()
      let rows = try database.integer("SELECT coalesce(sum(length(data)), 0) FROM item") ?? 0
      let bytes = try database.integer("SELECT coalesce(sum(length(bytes)), 0) FROM attachment")
      byteCount = Int(rows + (bytes ?? 0))
    case .disk:
      let files = try FileManager.default.subpathsOfDirectory(atPath: storage.directory.url.path)
      byteCount = try files.reduce(0) { sum, file in
        let path = storage.directory.url.appending(path: file).path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return sum }
        return sum + (attributes[.size] as? Int ?? 0)
      }
    case .memory:
      byteCount = try await storage.open().readAllData().reduce(0) { $0 + $1.count }
    }
    // Inline bytes are base64, a third longer; rows and journals have a few hundred bytes more.
    let each = storage.kind == .sqlite ? Self.byteCount : Self.byteCount * 4 / 3
    #expect(byteCount % each < each / 2, "\(byteCount) bytes are not a whole number of pictures")
    return byteCount / each
  }

  @Test(arguments: EngineKind.allCases)
  func `a picture comes back after a relaunch, byte for byte`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Photo>(storage: storage.open())
    try await store.add([photo("a", 1), photo("b", 2)])
    let relaunched = try await Store<Photo>(storage: storage.open())
    #expect(relaunched.items == store.items)
    #expect(try await relaunched.items[1].picture.data() == .noise(Self.byteCount, seed: 2))
  }

  @Test(arguments: EngineKind.allCases)
  func `overwriting, removing and clearing leave no bytes behind`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Photo>(storage: storage.open())
    try await store.add([photo("a", 1), photo("b", 2), photo("c", 3)])
    #expect(try await pictures(in: storage) == 3)
    try await store.add(photo("a", 4))
    #expect(try await pictures(in: storage) == 3)
    try await store.remove(store.items[1])
    #expect(try await pictures(in: storage) == 2)
    try await store.remove(store.items[1]).add(photo("d", 5)).run()
    #expect(try await pictures(in: storage) == 2)
    try await store.removeAll()
    #expect(try await pictures(in: storage) == 0)
    // A failed chain keeps the existing items, and leaves none of its own.
    try await store.add(photo("e", 6))
    try storage.refuse(CacheKey(verbatim: "g"))
    guard kind != .memory else { return }
    await #expect(throws: (any Error).self) {
      try await store.removeAll().add([photo("f", 7), photo("g", 8)]).run()
    }
    #expect(try await pictures(in: storage) == 1)
  }
}
