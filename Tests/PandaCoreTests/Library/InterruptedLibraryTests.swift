import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

/// What is left when the process is killed at any moment of an operation.
///
/// Each thing that the person does is one transaction of the file, so that a killed process leaves
/// what was before or what is after; that SQLite keeps this is tested with Pantry, by killing.
@MainActor
@Suite struct InterruptedLibraryTests {
  let directory = TemporaryDirectory()

  func library() -> ImageLibrary {
    ImageLibrary(in: StorageDirectory(url: directory.url))
  }

  enum Act: String, CaseIterable {
    case save, remove, clear, restore, caption, tags, hide, undoSave, undoRemove, redoRemove
  }

  @Test(arguments: Act.allCases)
  func `an operation is one transaction`(_ act: Act) async throws {
    let library = library()
    let all = (1...3).map { image($0) }
    for image in all.dropLast(act == .save ? 1 : 0) { try await library.save(image) }
    if [.restore, .undoRemove, .redoRemove].contains(act) { try await library.remove([all[0]]) }
    if act == .redoRemove { _ = try await library.undo() }
    try await library.seen.itemsHaveLoaded()
    try await library.hidden.itemsHaveLoaded()
    // Which begins its namespace.
    try await library.collectionsHaveBeenRead()

    let commits = try CommitCount(directory.url.appending(path: "favorites.sqlite").path)
    try await perform(act, all, on: library)
    #expect(try commits.sinceThen() == 1)
  }

  private func perform(_ act: Act, _ all: [RemoteImage], on library: ImageLibrary) async throws {
    switch act {
    case .save: try await library.save(all[2])
    case .remove: try await library.remove([all[1]])
    case .clear: try await library.remove(all, isAll: true)
    case .restore: try await library.restore(library.trashed)
    case .caption: try await library.setCaption("asleep", of: [all[0]])
    case .tags: try await library.setTags(["snow"], of: [all[0]])
    case .hide: try await library.hide(image(9))
    case .undoSave, .undoRemove: _ = try await library.undo()
    case .redoRemove: _ = try await library.redo()
    }
  }

  private func image(_ number: Int) -> RemoteImage {
    let url = URL(string: "https://a.example/\(number)")!
    return RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: url, width: 4, height: 3,
      dataRepresentation: Attachment(Data("bytes of \(url.absoluteString)".utf8)), source: "test")
  }
}

/// Counts the transactions that others commit to a database.
private final class CommitCount {
  private let path: String
  private let before: (salt: [UInt8], count: Int)

  init(_ path: String) throws {
    self.path = path
    before = try Self.commits(inLogOf: path)
  }

  func sinceThen() throws -> Int {
    let now = try Self.commits(inLogOf: path)
    // The log of a program that was idle for two seconds begins anew, with another salt.
    return now.count - (now.salt == before.salt ? before.count : 0)
  }

  /// A frame of the write-ahead log that ends a transaction says how long the database is then
  /// (https://sqlite.org/fileformat2.html#walformat).
  private static func commits(inLogOf path: String) throws -> (salt: [UInt8], count: Int) {
    let log = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
    func number(at offset: Int) -> Int {
      log[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let pageSize = number(at: 8)
    let salt = Array(log[16..<24])
    let count = stride(from: 32, to: log.count - 23, by: 24 + pageSize).count { frame in
      Array(log[frame + 8..<frame + 16]) == salt && number(at: frame + 4) != 0
    }
    return (salt, count)
  }
}
