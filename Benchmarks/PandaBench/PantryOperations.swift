internal import Foundation
internal import Pantry

/// The operations through a ``Store`` on ``SQLiteStorageEngine``, as a program would use them.
///
/// They run on the main actor, including JSON.
@MainActor
struct PantryOperations<Note: BenchmarkNote> {
  let directory: URL

  private var middle: Int { StoreOperation.many / 2 }

  func fill(_ contents: StoreOperation.Contents) async throws {
    switch contents {
    case .nothing: break
    case .notes(let count): try await openNotes().add(Note.notes(count, from: 0))
    case .pictures: try await openPictures().add(Picture.pictures(StoreOperation.pictures))
    }
  }

  func run(_ operation: StoreOperation) async throws -> Double {
    switch operation {
    case .writeOne: return try await add(from: 0)
    case .addToMany, .addToFew, .addToAHundredThousand: return try await add(from: 200_000)
    case .writeMany:
      let notes = try Note.notes(StoreOperation.many, from: 0)
      let store = try await openNotes(0)
      return try await milliseconds { try await store.add(notes) }
    case .loadMany: return try await keep { try await openNotes(StoreOperation.many) }
    case .loadAHundredThousand:
      return try await keep { try await openNotes(StoreOperation.hundredThousand) }
    case .updateOne: return try await updateOne()
    case .removeOne: return try await removeOne()
    case .removeAll:
      let store = try await openNotes(StoreOperation.many)
      return try await milliseconds { try await store.removeAll() }
    case .addTogether: return try await together(from: 200_000) { try await $0.add($1) }
    case .updateTogether:
      return try await together(from: middle) { store, note in
        try await store.update(note.id) { $0.edit() }
      }
    case .writePictures:
      let pictures = Picture.pictures(StoreOperation.pictures)
      let store = try await openPictures()
      return try await milliseconds { try await store.add(pictures) }
    case .loadPictures:
      return try await keep { try await openPictures() }
    case .readPictures:
      return try await keep {
        let store = try await openPictures()
        for picture in store.items { try await kept.append(picture.image.data()) }
        return store
      }
    case .mainActorDuringLoad: return try await mainActorTurns().elapsed
    case .mainActorWorkDuringLoad: return try await mainActorTurns().computed
    }
  }

  private func mainActorTurns() async throws -> MainActorTicker.Longest {
    // The default engine of a Store opens its file at the first read, as this one does.
    let engine = SQLiteStorageEngine.deferred(directory: StorageDirectory(url: directory))
    return try await MainActorTicker.longestTurns {
      try await kept.append(Store<Note>(storage: engine, cacheIdentifier: \.id))
    }
  }

  private func add(from first: Int) async throws -> Double {
    let store = try await openNotes()
    var times: [Double] = []
    for note in try Note.notes(StoreOperation.writeOne.repetitions, from: first) {
      try await times.append(milliseconds { try await store.add(note) })
    }
    return medianAfterFirst(times)
  }

  /// Overwrites notes with the same identifiers.
  private func updateOne() async throws -> Double {
    let store = try await openNotes(StoreOperation.many)
    let count = StoreOperation.updateOne.repetitions
    var times: [Double] = []
    for note in try Note.notes(count, from: middle) {
      try await times.append(milliseconds { try await store.add(note) })
    }
    return medianAfterFirst(times)
  }

  private func removeOne() async throws -> Double {
    let store = try await openNotes(StoreOperation.many)
    let removed = Array(store.items[middle..<middle + StoreOperation.removeOne.repetitions])
    var times: [Double] = []
    for note in removed { try await times.append(milliseconds { try await store.remove(note) }) }
    return medianAfterFirst(times)
  }

  /// Writes many notes, each in a task of its own.
  private func together(
    from first: Int, _ write: @escaping @MainActor (Store<Note>, Note) async throws -> Void
  ) async throws -> Double {
    let store = try await openNotes(StoreOperation.many)
    let notes = try Note.notes(StoreOperation.together, from: first)
    return try await milliseconds {
      let tasks = notes.map { note in Task { try await write(store, note) } }
      for task in tasks { try await task.value }
    }
  }

  /// Times `body` and keeps its result, so that freeing it is not part of the time.
  private func keep<Value: Sendable>(_ body: () async throws -> Value) async throws -> Double {
    try await milliseconds { try await kept.append(body()) }
  }

  /// Opens a store that must hold `count` notes, if given.
  private func openNotes(_ count: Int? = nil) async throws -> Store<Note> {
    let store = try await Store<Note>(storage: engine(), cacheIdentifier: \.id)
    precondition(count == nil || store.items.count == count, "The file does not hold the notes.")
    return store
  }

  private func openPictures() async throws -> Store<Picture> {
    try await Store<Picture>(storage: engine(), cacheIdentifier: \.id)
  }

  private func engine() throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(
      directory: StorageDirectory(url: directory), databaseFilename: "pantry.sqlite")
  }

  @MainActor private final class Kept {
    var values: [any Sendable] = []
    func append(_ value: any Sendable) { values.append(value) }
  }

  private let kept = Kept()

  init(directory: URL) { self.directory = directory }
}
