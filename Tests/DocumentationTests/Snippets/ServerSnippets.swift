import Dispatch
import Foundation
import Pantry
import Synchronization

/// The code of the guide about servers, compiled.
enum ServerSnippets {
  typealias Note = StoreSnippets.Note

  // snippet: server-requests
  static func save(_ note: Note, in store: Store<Note>) async throws -> Note? {
    try await store.add(note)
    return await store[note.id]
  }

  static func summary(of store: Store<Note>) async -> (count: Int, newest: Note?) {
    await MainActor.run { (store.items.count, store.items.last) }  // both of one moment
  }
  // end

  typealias Counter = StoreSnippets.Counter

  struct Seat: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var guest: String?
  }

  // snippet: server-check-then-act
  static func count(_ word: String, in counters: Store<Counter>) async throws -> Int {
    try await counters.update(word, orAdd: Counter(id: word, count: 1)) { $0.count += 1 }.count
  }

  static func take(_ seat: Seat, for guest: String, in seats: Store<Seat>) async throws -> Bool {
    try await seats.transaction { t in
      guard seats[seat.id]?.guest == nil else { return false }
      t.add(Seat(id: seat.id, guest: guest), to: seats)
      return true
    }
  }
  // end

  // snippet: server-snapshot
  final class NotesSnapshot: Sendable {
    private let notes = Mutex<[Note]>([])

    init(of store: Store<Note>) async {
      let values = await store.values
      Task { [weak self] in
        for await items in values { self?.notes.withLock { $0 = items } }
      }
    }

    var all: [Note] { notes.withLock(\.self) }  // on any thread, without a hop
  }
  // end

  static func objects(_ engine: SQLiteStorageEngine, _ note: Note) async throws {
    // snippet: server-objects
    let archive = ObjectStorage<Note>(storage: engine.engine(namespace: "archive"))
    try await archive.store(note, forKey: CacheKey(verbatim: note.id))
    print(try await archive.object(forKey: CacheKey(verbatim: note.id))?.text ?? "absent")
    print(try await archive.objectsAndKeys(after: nil, limit: 50).count)
    // end
  }

  // snippet: server-main
  static func serve(
    _ store: Store<Note>, until number: Int32 = SIGTERM, _ run: @escaping @Sendable () -> Void
  ) async throws {
    Thread.detachNewThread(run)  // the framework's call that never returns
    await arrival(of: number)  // meanwhile the main actor runs
    try await store.close()
  }

  /// Returns when the process gets a signal.
  static func arrival(of number: Int32) async {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    await withCheckedContinuation { continuation in
      source.setEventHandler { source.cancel() }
      source.setCancelHandler { continuation.resume() }
      source.resume()
    }
  }
  // end
}
