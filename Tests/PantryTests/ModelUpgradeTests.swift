import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// A model that has changed twice since ``Note`` was written.
struct Essay: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var body: String
  var favorites: Int
}

struct Album: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var cover: Pantry.Attachment
}

/// Upgrades of the stored JSON, on every engine.
@MainActor
@Suite struct ModelUpgradeTests {
  static let upgrades: [ModelUpgrade] = [
    .setting("favorites", to: 0), .renaming("text", to: "body"),
  ]

  func essays(
    _ storage: TestStorage, _ upgrades: [ModelUpgrade] = upgrades
  ) async throws -> Store<Essay> {
    try await nextLaunch { try await Store<Essay>(storage: storage.open(), upgrades: upgrades) }
  }

  /// Writes rows as they are, past every store.
  func write(_ rows: KeyValuePairs<String, String>, to storage: TestStorage) async throws {
    let engine = try storage.open()
    for (key, row) in rows {
      try await engine.write(Data(row.utf8), key: CacheKey(verbatim: key))
    }
  }

  func rows(_ storage: TestStorage) async throws -> [String] {
    try await storage.open().readAllData().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: EngineKind.allCases)
  func `rows of every older version are upgraded, and written back once`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    try await write(
      [
        "a": #"{"id":"a","text":"é 😀 \"q\""}"#,
        "b": #"{"$pantryVersion":1,"id":"b","text":"t","favorites":7}"#,
        "c": #"{"$pantryVersion":2,"id":"c","body":"new","favorites":9}"#,
        "d": #"{ "id" : "d", "text" : "by hand", "later" : 123456789012345678901234567890 }"#,
      ], to: storage)
    let store = try await essays(storage)
    let changes = ChangeCounter { store.items }
    let expected = [
      Essay(id: "a", body: "é 😀 \"q\"", favorites: 0), Essay(id: "b", body: "t", favorites: 7),
      Essay(id: "c", body: "new", favorites: 9), Essay(id: "d", body: "by hand", favorites: 0),
    ]
    #expect(store.items == expected)
    #expect(store.loadIssues.isEmpty)
    try await eventually("all rows are of the newest version") {
      try await rows(storage).allSatisfy { $0.hasPrefix(#"{"$pantryVersion":2,"#) }
    }
    try await store.add(Essay(id: "e", body: "", favorites: 1))
    #expect(changes.count == 1, "writing back changes nothing that is seen")
    let again = try await essays(storage)
    #expect(again.items == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `a row that an upgrade fails on stays unchanged, and the next version can repair it`(
    _ kind: EngineKind
  ) async throws {
    struct Unreadable: Error {}
    let storage = TestStorage(kind)
    let row = #"{"id":"b","text":"precious"}"#
    try await write(["a": #"{"id":"a","text":"plain"}"#, "b": row, "c": "no JSON"], to: storage)
    let failing = ModelUpgrade { (old: Note) -> Essay in
      guard old.text == "plain" else { throw Unreadable() }
      return Essay(id: old.id, body: old.text, favorites: 0)
    }
    do {
      let store = try await essays(storage, [failing])
      #expect(store.items.map(\.id) == ["a"])
      #expect(store.loadIssues.map(\.key.rawValue) == ["b", "c"])
      #expect(store.loadIssues.first?.data == Data(row.utf8))
      try await eventually("what could be upgraded is written back") {
        try await rows(storage)[0].contains("favorites")
      }
      #expect(try await rows(storage)[1...] == [row, "no JSON"])
    }
    let mended = ModelUpgrade { (old: Note) in
      Essay(id: old.id, body: old.text, favorites: 0)
    }
    let store = try await essays(storage, [mended])
    #expect(store.items.map(\.body) == ["plain", "precious"])
    #expect(store.loadIssues.map(\.key.rawValue) == ["c"])
  }

  @Test(arguments: EngineKind.allCases)
  func `an older program shows what it can, and overwrites no newer row`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let newer = #"{"$pantryVersion":3,"id":"b","body":"x","stars":[1]}"#
    try await write(
      ["a": #"{"$pantryVersion":2,"id":"a","body":"x","favorites":1}"#, "b": newer], to: storage)
    let store = try await essays(storage)
    #expect(store.items.map(\.id) == ["a"])
    #expect(store.loadIssues.map(\.key.rawValue) == ["b"])
    #expect(store.loadIssues.first?.reason.contains("version 3") == true)
    let b = Essay(id: "b", body: "mine", favorites: 0)
    let error = StorageError.newerModel(type: "PantryTests.Essay", version: 3, supported: 2)
    await #expect(throws: error) { try await store.add(b) }
    await #expect(throws: error) {
      try await store.add([Essay(id: "c", body: "", favorites: 0), b])
    }
    await #expect(throws: error) { try await store.merge([b]) }
    await #expect(throws: error) { try await store.remove(b) }
    #expect(store.items.map(\.id) == ["a"])
    try await store.add(Essay(id: "a", body: "changed", favorites: 2))
    try await store.remove(Essay(id: "a", body: "", favorites: 0))
    #expect(try await rows(storage) == [newer])
    try await store.add(Essay(id: "a", body: "again", favorites: 2))
    try await store.removeAll()
    #expect(try await rows(storage) == [newer])
  }

  @Test(arguments: EngineKind.allCases)
  func `an upgrade changes identifiers if it says so, and is named if not`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let former = [
      #"{"id":"a","text":"x"}"#, #"{"id":"b","text":"y"}"#, #"{"id":"c","text":"x"}"#,
    ]
    try await write(["a": former[0], "b": former[1], "c": former[2]], to: storage)
    let upgrade = ModelUpgrade { (old: Note) in
      Essay(id: "new " + old.text, body: old.id, favorites: 0)
    }
    let upgrades = [ModelUpgrade.removing("none"), upgrade]
    let error = StorageError.upgradeChangesIdentifier(
      type: "PantryTests.Essay", key: "a", identifier: "new x", upgrades: 1...2)
    await #expect(throws: error) { try await essays(storage, upgrades) }
    #expect(try await rows(storage) == former)

    for _ in 0..<2 {
      let store = try await essays(storage, [upgrades[0], upgrade.changingIdentifier])
      #expect(store.items.map(\.id) == ["new x", "new y"])
      #expect(store.items.map(\.body) == ["a", "b"])
      // A second one of the same name is not lost.
      #expect(store.loadIssues.map(\.data) == [Data(former[2].utf8)])
      #expect(
        try await storage.open().allKeys().map(\.rawValue) == ["c", "new x", "new y"])
    }
  }

  /// The new identifiers of the items 1, 2, …, what is shown (the old identifier and the new one),
  /// and the rows that stay.
  private nonisolated static let renamings: [(new: [String], shown: [String], left: [String])] = [
    (["2", "3", "4"], ["1 2", "2 3", "3 4"], []),
    (["3", "1", "x"], ["1 3", "2 1", "3 x"], []),
    (["2", "1"], ["1 2", "2 1"], []),
    (["2", "3", "1", "3"], ["1 2", "2 3", "3 1"], ["4"]),
    // Another row keeps the identifier, so this one keeps its own, and so on.
    (["2", "3", "3"], ["3 3"], ["1", "2"]),
    (["3", "1", "3"], ["3 3"], ["1", "2"]),
    (["x", "x", "2"], ["1 x"], ["2", "3"]),
  ]

  @Test(arguments: EngineKind.allCases, renamings)
  func `an item takes the identifier of one that gets another, and none is lost`(
    _ kind: EngineKind, _ renaming: (new: [String], shown: [String], left: [String])
  ) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    func row(_ id: String) -> Data {
      Data(#"{"id":"\#(id)","text":"\#(renaming.new[Int(id)! - 1])"}"#.utf8)
    }
    for number in 1...renaming.new.count {
      try await engine.write(row("\(number)"), key: CacheKey(verbatim: "\(number)"))
    }
    let upgrade = ModelUpgrade { (old: Note) in Essay(id: old.text, body: old.id, favorites: 0) }
    for _ in 0..<2 {
      let store = try await essays(storage, [upgrade.changingIdentifier])
      #expect(store.items.map { "\($0.body) \($0.id)" }.sorted() == renaming.shown)
      #expect(store.loadIssues.map(\.key.rawValue).sorted() == renaming.left)
      #expect(Set(store.loadIssues.map(\.data)) == Set(renaming.left.map(row)))
      #expect(try await storage.open().keyCount() == renaming.new.count)
    }
  }

  @Test(arguments: [false, true])
  func `an engine that fails while identifiers change has every item`(isChain: Bool) async throws {
    let upgrade = ModelUpgrade { (old: Note) in
      let id = isChain ? "\(Int(old.id)! + 1)" : "new \(old.id)"
      return Essay(id: id, body: old.text, favorites: 0)
    }.changingIdentifier
    let texts = ["one", "two", "three"]
    for count in 0..<(isChain ? 4 : 6) {
      let engine = SmallEngine()
      for (index, text) in texts.enumerated() {
        try await engine.write(
          Data(#"{"id":"\#(index + 1)","text":"\#(text)"}"#.utf8),
          key: CacheKey(verbatim: "\(index + 1)"))
      }
      await engine.failToChange(after: count)
      await #expect(throws: OutOfOrder.self) {
        try await Store<Essay>(storage: engine, upgrades: [upgrade])
      }
      let rows = try await engine.readAllData().map { String(decoding: $0, as: UTF8.self) }
      for text in texts { #expect(rows.contains { $0.contains(text) }, "\(count): \(rows)") }
      await engine.failToChange(after: .max)
      let store = try await Store<Essay>(storage: engine, upgrades: [upgrade])
      #expect(Set(store.items.map(\.body)) == Set(texts), "\(count)")
      #expect(store.loadIssues.isEmpty, "\(count)")
      #expect(try await engine.keyCount() == 3, "\(count)")
    }
  }

  @Test(arguments: EngineKind.live)
  func `rows written by an older program are upgraded as they arrive`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await essays(storage)
    try await write(["a": #"{"id":"a","text":"old"}"#], to: storage)
    try await eventually("the row has come") {
      store.items == [Essay(id: "a", body: "old", favorites: 0)]
    }
    try await store.update("a") { $0.favorites += 1 }
    let row = try #require(try await rows(storage).first)
    #expect(row.hasPrefix(#"{"$pantryVersion":2,"#))
    #expect(row.contains(#""favorites":1"#))
  }

  @Test(arguments: EngineKind.allCases)
  func `attachments outlive an upgrade`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let bytes = Data.noise(4_000, seed: 1)
    do {
      let photos = try await Store<Photo>(storage: storage.open())
      try await photos.add(Photo(id: "a", picture: Attachment(bytes)))
    }
    for upgrades in [
      [ModelUpgrade.renaming("picture", to: "cover")],
      [.renaming("picture", to: "cover"), ModelUpgrade { (old: Album) in old }],
    ] {
      let albums = try await nextLaunch {
        try await Store<Album>(
          storage: storage.open(), formerNames: ["PantryTests.Photo"], upgrades: upgrades)
      }
      try await eventually("it is written back") {
        try await rows(storage)[0].hasPrefix(#"{"$pantryVersion":\#(upgrades.count),"#)
      }
      #expect(try await albums.items.first?.cover.data() == bytes)
    }
    let relaunched = try await nextLaunch {
      try await Store<Album>(
        storage: storage.open(),
        upgrades: [.removing("none"), .removing("none")])
    }
    #expect(try await relaunched.items.first?.cover.data() == bytes)
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: an attachment that an upgrade makes is kept`(_ kind: EngineKind) async throws {
    struct OldAlbum: Codable {
      var id: String
      var cover: Data
    }
    let bytes = Data.noise(3_000, seed: 3)
    let storage = TestStorage(kind)
    try await storage.open().write(
      JSONEncoder().encode(OldAlbum(id: "a", cover: bytes)), key: CacheKey(verbatim: "a"))
    let upgrade = ModelUpgrade { (old: OldAlbum) in
      Album(id: old.id, cover: Attachment(old.cover))
    }
    for _ in 0..<2 {
      let store = try await nextLaunch {
        try await Store<Album>(storage: storage.open(), upgrades: [upgrade])
      }
      #expect(store.loadIssues.isEmpty)
      #expect(try await store.items.first?.cover.data() == bytes)
      await store.operationsHaveEnded()
    }
    try await eventually("the row is written back") {
      try await rows(storage)[0].hasPrefix(#"{"$pantryVersion":1,"#)
    }
  }

  @Test func `a value other than a JSON object has a version too`() async throws {
    enum Shape: Codable, Equatable, Sendable {
      case circle
    }
    let storage = TestStorage(.memory)
    let engine = try storage.open()
    let upgrade = ModelUpgrade.data { Data(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
    let words = ObjectStorage<String>(storage: engine, upgrades: [upgrade])
    try await engine.write(Data(#""old""#.utf8), key: CacheKey("a"))
    try await words.store("new", forKey: CacheKey("b"))
    #expect(try await rows(storage) == [#""old""#, #"{"$pantryVersion":1,"$pantryValue":"new"}"#])
    #expect(try await words.allObjects() == ["OLD", "new"])
  }

  @Test func `stores of one namespace write one version`() async throws {
    let storage = TestStorage(.sqlite)
    let store = try await essays(storage)
    await #expect(throws: StorageError.self) {
      try await Store<Essay>(storage: storage.open(), upgrades: [])
    }
    #expect(store.items.isEmpty)
  }

  @Test(arguments: [
    (#"{"$pantryVersion":2,"id":"a"}"#, 2, #"{"id":"a"}"#),
    (#" { "$pantryVersion" : 12 , "id" : "a" } "#, 12, #"{"id" : "a" } "#),
    (#"{"$pantryVersion":2}"#, 2, "{}"),
    (#"{"$pantryVersion":2,"$pantryValue":[1,{}]}"#, 2, "[1,{}]"),
    (#"{"$pantryVersion":2,"$pantryValue":"}"} "#, 2, #""}""#),
    (#"{"id":"a","$pantryVersion":2}"#, 0, #"{"id":"a","$pantryVersion":2}"#),
    (#"{"$pantryVersion":-2,"id":"a"}"#, 0, #"{"$pantryVersion":-2,"id":"a"}"#),
    (#"{"$pantryVersion":99999999999999999999,"id":"a"}"#, 0, nil),
    (#"{"$pantryVersion":"2"}"#, 0, nil), (#"{"$pantryVersion":2"#, 0, nil),
    (#"{"$pantryVersion"#, 0, nil), ("", 0, nil), ("{", 0, nil), ("[]", 0, nil),
  ])
  func `the version of a row is read in any valid form`(row: String, version: Int, json: String?) {
    let split = RowVersion.split(Data(row.utf8))
    #expect(split.version == version)
    #expect(split.json == Data((json ?? row).utf8))
  }

  @Test(arguments: ["{}", #"{"id":"a"}"#, "[]", "7", #""text""#, "null"])
  func `a row with a version decodes to the original`(json: String) {
    for version in [0, 1, 12] {
      let row = RowVersion.add(version, to: Data(json.utf8))
      #expect(RowVersion.split(row).version == version)
      #expect(RowVersion.split(row).json == Data(json.utf8))
    }
  }
}
