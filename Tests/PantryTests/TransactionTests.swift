import Foundation
import Observation
import PandaTestSupport
import SystemSupport
import Testing

@testable import Pantry

/// Changes of several stores that happen together or not at all.
@MainActor
@Suite struct TransactionTests {
  let directory = TemporaryDirectory()

  struct Album: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var photos: [String] = []
  }

  /// Two stores that one transaction can change, as after a launch.
  struct Shelf {
    let notes: Store<Note>
    let albums: Store<Album>
  }

  func open(_ kind: EngineKind = .sqlite) async throws -> Shelf {
    switch kind {
    case .memory:
      return Shelf(
        notes: try await Store(storage: MemoryStorageEngine()),
        albums: try await Store(storage: MemoryStorageEngine()))
    default:
      return Shelf(
        notes: try await Store(storage: directory.engine("notes")),
        albums: try await Store(storage: directory.engine("albums")))
    }
  }

  @Test(arguments: [EngineKind.sqlite, .memory])
  func `the stores of a transaction change together, then each notifies once`(
    _ kind: EngineKind
  ) async throws {
    let shelf = try await open(kind)
    let (notes, albums) = (shelf.notes, shelf.albums)
    try await notes.add([Note(id: "a"), Note(id: "b")])
    let observers = [Observer(shelf) { _ = notes.items }, Observer(shelf) { _ = albums.items }]
    let count = try await notes.transaction(with: albums) { t in
      t.remove(Note(id: "a"), from: notes)
      t.add([Note(id: "c"), Note(id: "d")], to: notes)
      t.update("c", in: notes) { $0.text = "new" }
      t.add(Album(id: "x"), to: albums)
      return notes.items.count
    }
    #expect(count == 2, "the closure sees the stores as they were")
    #expect(notes.items.map(\.id) == ["b", "c", "d"])
    #expect(notes["c"]?.text == "new")
    #expect(observers.map(\.seen) == Array(repeating: [#"["b", "c", "d"] ["x"]"#], count: 2))
    guard kind == .sqlite else { return }
    let again = try await open()
    #expect(again.notes.items == notes.items)
    #expect(again.albums.items == albums.items)
  }

  @Test(arguments: [EngineKind.sqlite, .memory])
  func `a throwing transaction changes nothing`(_ kind: EngineKind) async throws {
    struct Refused: Error {}
    let shelf = try await open(kind)
    let (notes, albums) = (shelf.notes, shelf.albums)
    try await notes.add(Note(id: "a"))
    await #expect(throws: Refused.self) {
      try await notes.transaction(with: albums) { t in
        t.removeAll(from: notes)
        t.add(Album(id: "x"), to: albums)
        throw Refused()
      }
    }
    await #expect(throws: Refused.self) {
      try await notes.transaction(with: albums) { t in
        t.add(Album(id: "x"), to: albums)
        t.update("a", in: notes) { _ in throw Refused() }
      }
    }
    if kind == .sqlite {
      try directory.database().refuse(CacheKey(verbatim: "no"))
      await #expect(throws: SQLiteError.self) {
        try await notes.transaction(with: albums) { t in
          t.add([Note(id: "b"), Note(id: "no")], to: notes)
          t.add(Album(id: "x"), to: albums)
        }
      }
      await #expect(throws: SQLiteError.self) {
        try await notes.transaction(with: albums) { t in
          t.remove(Note(id: "a"), from: notes)
          t.add(Album(id: "no"), to: albums)
        }
      }
      #expect(try directory.database().integer("SELECT count(*) FROM item") == 1)
    }
    #expect(notes.items == [Note(id: "a")])
    #expect(albums.items.isEmpty)
    // And the stores go on.
    try await notes.transaction(with: albums) { t in t.merge([Album(id: "y")], into: albums) }
    #expect(albums.items == [Album(id: "y")])
  }

  @Test func `what a comparison has read before it fails is read again`() async throws {
    let engine = MemoryStorageEngine()
    let isTold = Lock(false)
    let follower = StorageFollower { isTold.withLock { $0 = true } }
    engine.add(follower)
    _ = await engine.rows(for: follower)
    await engine.write(Data("{}".utf8), key: CacheKey(verbatim: "a"))
    isTold.withLock { $0 = false }
    let broken = SmallEngine()
    await broken.failToRead(OutOfOrder())
    let parts = [
      StoragePart(storage: engine, changes: [], basis: .everything, follower: follower),
      StoragePart(
        storage: broken, changes: [], basis: .everything, follower: StorageFollower {}),
    ]
    await #expect(throws: OutOfOrder.self) { try await parts.compared() }
    let isToldAgain = isTold.withLock(\.self)
    #expect(isToldAgain)
    #expect(await engine.changes(for: follower).rows.count == 1)
  }

  @Test func `a transaction used after its closure ends the program with a message`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try await TransactionTests.useTooLate()
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("used after its closure had returned"))
  }

  private nonisolated static func useTooLate() async throws {
    let store = await Store<Note>.previewStore(items: [])
    try await store.transaction { t in
      Task { t.add(Note(id: "late"), to: store) }
    }.value
  }
  @Test func `unrelated stores are refused before any change`() async throws {
    let shelf = try await open()
    let elsewhere = TemporaryDirectory()
    let disk = try await Store<Note>(storage: DiskStorageEngine(directory: elsewhere.storage))
    let own = try await Store<Note>(storage: ObstinateEngine())
    let memory = try await Store<Note>(storage: MemoryStorageEngine())
    let other = try await Store<Note>(storage: elsewhere.engine())
    for store in [disk, own, memory, other] {
      await #expect(throws: StorageError.notJoint) {
        try await shelf.albums.transaction(with: store) { t in
          t.add(Album(id: "x"), to: shelf.albums)
          t.add(Note(id: "a"), to: store)
        }
      }
      #expect(store.items.isEmpty)
      // One store alone can be changed on any engine.
      try await store.transaction { t in t.add(Note(id: "b"), to: store) }
      #expect(store.items == [Note(id: "b")])
    }
    #expect(shelf.albums.items.isEmpty)
  }

  @Test func `a store that was not passed is refused`() async throws {
    let shelf = try await open()
    await #expect(throws: StorageError.notInTransaction(type: "PantryTests.TransactionTests.Album"))
    {
      try await shelf.notes.transaction { t in
        t.add(Note(id: "a"), to: shelf.notes)
        t.add(Album(id: "x"), to: shelf.albums)
      }
    }
    #expect(shelf.notes.items.isEmpty)
    // Named twice is named once.
    try await shelf.notes.transaction(with: shelf.notes, shelf.albums) { t in
      t.add(Note(id: "a"), to: shelf.notes)
    }
    #expect(shelf.notes.items.count == 1)
  }

  @Test func `operations and transactions run in the order of their calls`()
    async throws
  {
    let shelf = try await open()
    let (notes, albums) = (shelf.notes, shelf.albums)
    var tasks: [Task<Void, any Error>] = []
    for round in 0..<60 {
      // Tasks of the main actor start in order, and call immediately.
      tasks.append(
        Task {
          switch round % 3 {
          case 0: try await notes.add(Note(id: "\(round)"))
          case 1:
            try await notes.transaction(with: albums) { t in
              t.add(Note(id: "\(round)"), to: notes)
              t.add(Album(id: "\(round)", photos: notes.items.map(\.id)), to: albums)
            }
          default:
            try await albums.transaction(with: notes) { t in
              t.update("\(round - 1)", in: albums) { $0.photos.append("\(notes.items.count)") }
            }
          }
        })
    }
    for task in tasks { try await task.value }
    let ids = (0..<60).filter { $0 % 3 != 2 }.map(String.init)
    #expect(notes.items.map(\.id) == ids)
    for (number, album) in albums.items.enumerated() {
      let before = 2 * number + 1
      #expect(album.photos == Array(ids[..<before]) + ["\(before + 1)"])
    }
  }

  @Test func `a transaction finishes even if its caller is canceled`() async throws {
    let shelf = try await open()
    let task = Task {
      try await shelf.notes.transaction(with: shelf.albums) { t in
        t.add(Note(id: "a"), to: shelf.notes)
        t.add(Album(id: "x"), to: shelf.albums)
      }
    }
    task.cancel()
    try await task.value
    #expect(shelf.notes.items.count == 1)
    #expect(shelf.albums.items.count == 1)
  }

  @Test func `changes of others in between are seen by calling the closure again`() async throws {
    let mine = try await open()
    let theirs = try await open()
    try await mine.albums.add(Album(id: "x"))
    let tasks = [mine, theirs].map { shelf in
      Task {
        for round in 0..<40 {
          try await shelf.notes.transaction(with: shelf.albums) { t in
            let count = shelf.albums["x"]?.photos.count ?? 0
            t.add(Note(id: "\(count)", text: "\(round)"), to: shelf.notes)
            t.update("x", in: shelf.albums) { $0.photos.append("\(count)") }
          }
        }
      }
    }
    for task in tasks { try await task.value }
    let numbers = (0..<80).map(String.init)
    let relaunched = try await open()
    #expect(relaunched.albums["x"]?.photos == numbers)
    #expect(relaunched.notes.items.map(\.id) == numbers)
    for shelf in [mine, theirs] {
      try await eventually("all follow") {
        shelf.notes.items == relaunched.notes.items && shelf.albums.items == relaunched.albums.items
      }
    }
  }

  @Test func `a picture can move from one store to another`() async throws {
    let bytes = Data.noise(20_000, seed: 3)
    let photos = try await Store<Photo>(storage: directory.engine("photos"))
    let trash = try await Store<Photo>(storage: directory.engine("trash"))
    try await photos.add(Photo(id: "a", picture: Attachment(bytes)))
    for _ in 0..<3 {
      try await photos.transaction(with: trash) { t in
        for photo in photos.items {
          t.remove(photo, from: photos)
          t.add(photo, to: trash)
        }
      }
      #expect(try await trash.items.first?.picture.data() == bytes)
      try await trash.transaction(with: photos) { t in
        t.add(trash.items, to: photos)
        t.removeAll(from: trash)
      }
      #expect(try await photos.items.first?.picture.data() == bytes)
    }
    let database = try directory.database()
    #expect(try database.integer("SELECT count(*) FROM attachment") == 1)
    #expect(try database.integer("SELECT count(*) FROM item_attachment") == 1)
  }

  @Test func `a store that failed to load prevents the transaction`() async throws {
    let shelf = try await open()
    let broken = Store<Note>.loadingInBackground(storage: try directory.engine("albums"))
    await #expect(throws: StorageError.self) {
      try await shelf.notes.transaction(with: broken) { t in
        t.add(Note(id: "a"), to: shelf.notes)
      }
    }
    try await shelf.notes.add(Note(id: "b"))
    #expect(shelf.notes.items == [Note(id: "b")])
  }

  @Test func `a transaction in the commit closure confirms an optimistic change`() async throws {
    let shelf = try await open()
    let (notes, albums) = (shelf.notes, shelf.albums)
    let shown = Note(id: "a", text: "shown")
    try await notes.optimistically(notes.add(shown)) {
      try await notes.transaction(with: albums) { t in
        t.add(Note(id: "a", text: "written"), to: notes)
        t.add(Album(id: "x"), to: albums)
      }
    }
    #expect(notes.items == [Note(id: "a", text: "written")])
    let again = try await open()
    #expect(again.notes.items == notes.items)
  }
}

/// Records the items of both stores at the moment of a notification.
@MainActor
private final class Observer {
  private(set) var seen: [String] = []
  private let shelf: TransactionTests.Shelf
  private let read: @MainActor () -> Void

  init(_ shelf: TransactionTests.Shelf, _ read: @escaping @MainActor () -> Void) {
    self.shelf = shelf
    self.read = read
    observe()
  }

  private func observe() {
    withObservationTracking(read) { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.seen.append("\(self.shelf.notes.items.map(\.id)) \(self.shelf.albums.items.map(\.id))")
        self.observe()
      }
    }
  }
}
