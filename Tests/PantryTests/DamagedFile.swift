import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// A file with photos in two namespaces, of which some were changed and some removed.
@MainActor
final class FileToDamage {
  let directory = TemporaryDirectory(inMemory: true)
  /// The photos that are in the file, by their identifiers, with their bytes.
  let photos: [String: Data]
  let removed: Set<String>
  /// Keeps the file open: the last one to close it empties the log.
  private var stores: [Store<Photo>]

  var location: SQLiteLocation { SQLiteLocation("pantry.sqlite", in: directory.storage) }
  var path: String { location.path }
  var url: URL { URL(filePath: path) }

  init(_ count: Int = 60, pictures: Int = 12_000) async throws {
    let store = try await Store<Photo>(storage: directory.engine("Photo"))
    let trash = try await Store<Photo>(storage: directory.engine("Trash"))
    var all: [Photo] = []
    var bytes: [String: Data] = [:]
    for number in 0..<count {
      // Every fifth is on one page; the others need a chain of pages.
      let size = number % 5 == 0 ? 300 : pictures + number * 7
      let data = Data.noise(size, seed: UInt64(number + 1))
      all.append(Photo(id: "photo-\(number)", picture: Attachment(data)))
      bytes["photo-\(number)"] = data
    }
    try await store.add(all)
    let gone = all.enumerated().filter { $0.offset % 7 == 3 }.map(\.element)
    try await trash.add(gone)
    try await store.remove(gone)
    // Written again, so that the log of changes names it.
    try await store.add(all[0])
    for photo in gone { bytes[photo.id] = nil }
    photos = bytes
    removed = Set(gone.map(\.id))
    stores = [store, trash]
  }

  /// Empties the log, so that the file has everything.
  func close() async throws {
    stores = []
    try await directory.leaveLog()
  }

  /// Another directory with copies of all files.
  func copied() throws -> TemporaryDirectory {
    let copy = TemporaryDirectory(inMemory: true)
    try FileManager.default.copyItem(at: directory.storage.url, to: copy.storage.url)
    return copy
  }
}

extension TemporaryDirectory {
  var file: URL { storage.url.appending(path: "pantry.sqlite") }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: storage.url.path).sorted() }
  }

  /// Changes the bytes of the file in its place.
  func damage(_ change: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: file)
    change(&data)
    try data.write(to: file)
  }

  /// An engine that opens the file at the first operation.
  func deferredEngine(_ namespace: String = "Photo") -> SQLiteStorageEngine {
    .deferred(directory: storage, namespace: namespace)
  }

  /// Requires that the file is whole, and returns the identifiers of the rows in a namespace.
  func soundKeys(_ namespace: String = "Photo") async throws -> [String] {
    let check = try database().statement("PRAGMA integrity_check")
    #expect(try check.step() && check.text(0) == "ok")
    check.reset()
    return try await engine(namespace).allKeys().map(\.rawValue)
  }
}
