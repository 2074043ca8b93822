import Testing

@testable import Pantry

@MainActor
@Suite struct ConflictTests {
  private let engine = ContestedEngine()
  private let note = Note(id: "a", text: "old")

  private func open() async throws -> Store<Note> {
    let store = try await Store<Note>(storage: engine)
    try await store.add(note)
    return store
  }

  /// The ways to change the note depending on its content.
  private static let changes: [@MainActor (Store<Note>) async throws -> Void] = [
    { try await $0.update("a") { $0.text += "!" } },
    { try await $0.merge([Note(id: "a", text: "!")]) { Note(id: "a", text: $0.text + $1.text) } },
    { store in
      try await store.transaction { $0.update("a", in: store) { $0.text += "!" } }
    },
  ]

  @Test func `a change that always meets a conflict ends with an error`() async throws {
    let store = try await open()
    store.core.conflictPatience = .zero
    for change in Self.changes {
      await engine.conflict(times: .max)
      let error = StorageError.tooManyConflicts(
        type: TypeName(Note.self).shown, attempts: ConflictBackOff.attemptLimit)
      await #expect(throws: error) { try await change(store) }
      #expect(await engine.attempts == ConflictBackOff.attemptLimit)
      #expect(store.items == [note])
      // What waits behind it is not held up for good.
      try await store.add(note)
    }
  }

  @Test func `a change that meets some conflicts is made once`() async throws {
    let store = try await open()
    for change in Self.changes {
      try await store.add(note)
      await engine.conflict(times: 3)
      try await change(store)
      #expect(store.items == [Note(id: "a", text: "old!")])
      #expect(await engine.attempts == 4)
    }
  }

  @Test func `the back-off between attempts grows up to a limit`() {
    #expect((1...10).map(ConflictBackOff.wait) == [0, 1, 2, 4, 8, 16, 32, 64, 64, 64])
  }

  @Test func `the error says what failed, why, and what to do`() {
    #expect(
      StorageError.tooManyConflicts(type: "Note", attempts: 20).description
        == "Other writers changed the same Note during each of the 20 attempts. "
        + "Nothing was changed: try again.")
  }
}
