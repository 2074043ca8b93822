import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

/// What is left when the process ends between two steps of an operation.
///
/// The engines of the library stop to write after so many transactions, as a killed process does,
/// and another library opens the file.
@MainActor
@Suite struct InterruptedLibraryTests {
  let directory = TemporaryDirectory()

  func library(budget: CommitBudget) -> ImageLibrary {
    let engine: (String) -> any StorageEngine = { namespace in
      StoppingEngine(
        SQLiteStorageEngine.deferred(
          directory: StorageDirectory(url: directory.url), databaseFilename: "favorites.sqlite",
          namespace: namespace), budget: budget)
    }
    return ImageLibrary(
      favorites: .loadingInBackground(storage: engine("RemoteImage")), now: { Date() },
      engine: engine)
  }

  enum Act: String, CaseIterable {
    case save, remove, clear, restore, undoSave, undoRemove, redoRemove
  }

  @Test(arguments: Act.allCases, 0...3)
  func `nothing is lost, and undo goes on, wherever an operation ends`(_ act: Act, commits: Int)
    async throws
  {
    let all = (1...3).map { image($0) }
    let before = library(budget: CommitBudget(.max))
    for image in all.dropLast(act == .save ? 1 : 0) { try await before.save(image) }
    if [.restore, .undoRemove, .redoRemove].contains(act) { try await before.remove([all[0]]) }
    if act == .redoRemove { _ = try await before.undo() }

    let killed = library(budget: CommitBudget(commits))
    // It throws when its engines stop; what is on disk counts.
    try? await perform(act, all, on: killed)  // see above

    let after = library(budget: CommitBudget(.max))
    try await after.load()
    let present = Set(after.favorites.items.map(\.id)).union(after.trashed.map(\.id))
    let expected = Set(all.dropLast(act == .save ? 1 : 0).map(\.id))
    #expect(present.isSuperset(of: expected))
    for image in after.favorites.items + after.trashed.map(\.image) {
      #expect(try await image.dataRepresentation.data() == picture(image.url))
    }
    // Undoing all there is ends with nothing saved and everything in the trash.
    var steps = 0
    while try await after.undo() != nil { steps += 1 }
    #expect(steps <= 5)
    #expect(after.favorites.items.isEmpty)
    #expect(Set(after.trashed.map(\.id)).isSuperset(of: expected))
  }

  private func perform(_ act: Act, _ all: [RemoteImage], on library: ImageLibrary) async throws {
    switch act {
    case .save: try await library.save(all[2])
    case .remove: try await library.remove([all[1]])
    case .clear: try await library.remove(all, isAll: true)
    case .restore:
      try await library.load()
      try await library.restore(library.trashed)
    case .undoSave, .undoRemove: _ = try await library.undo()
    case .redoRemove: _ = try await library.redo()
    }
  }

  private func image(_ number: Int) -> RemoteImage {
    let url = URL(string: "https://a.example/\(number)")!
    return RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: url, width: 4, height: 3,
      dataRepresentation: Attachment(picture(url)), source: "test")
  }

  private func picture(_ url: URL) -> Data { Data("bytes of \(url.absoluteString)".utf8) }
}

/// How many transactions engines may still write, all together.
actor CommitBudget {
  private var left: Int

  init(_ count: Int) { left = count }

  func spend() throws {
    guard left > 0 else { throw TestFailure("the process has ended") }
    left -= 1
  }
}

/// An engine on another that writes as long as its budget lasts.
actor StoppingEngine: AttachmentStorage {
  private let engine: SQLiteStorageEngine
  private let budget: CommitBudget

  init(_ engine: SQLiteStorageEngine, budget: CommitBudget) {
    self.engine = engine
    self.budget = budget
  }

  nonisolated var liveAttachments: LiveAttachments { engine.liveAttachments }

  func commit(_ changes: [StorageChange]) async throws {
    try await budget.spend()
    try await engine.commit(changes)
  }

  func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }
  func remove(key: CacheKey) async throws { try await commit([.remove(key: key)]) }
  func removeAllData() async throws { try await commit([.removeAll]) }
  func read(key: CacheKey) async throws -> Data? { try await engine.read(key: key) }
  func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try await engine.readAllDataAndKeys()
  }
  func allKeys() async throws -> [CacheKey] { try await engine.allKeys() }
  func createdAt(key: CacheKey) async throws -> Date? { try await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { try await engine.updatedAt(key: key) }
  nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    try await engine.attachmentData(for: digest)
  }
  func releaseRemovedAttachments() async { await engine.releaseRemovedAttachments() }
}
