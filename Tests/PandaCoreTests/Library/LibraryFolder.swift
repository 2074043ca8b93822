import Foundation
import SystemSupport
import PandaTestSupport

@testable import PandaCore
@testable import Pantry

/// A fresh directory, in which libraries are opened.
@MainActor
struct LibraryFolder {
  let directory = TemporaryDirectory()
  var databasePath: String { directory.path("data/favorites.sqlite") }

  func library(now: @escaping @Sendable () -> Date = { Date() }) -> ImageLibrary {
    ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")), now: now)
  }

  /// The library as a process finds it that starts now.
  func reopened() -> ImageLibrary {
    ImageLibrary(
      favorites: .images(on: engine("RemoteImage")), now: { Date() },
      engine: engine)
  }

  func engine(_ namespace: String) -> any StorageEngine {
    SQLiteStorageEngine.deferred(
      directory: StorageDirectory(url: directory.url.appending(path: "data")),
      databaseFilename: "favorites.sqlite", namespace: namespace)
  }

  func favorites(_ library: ImageLibrary) async throws -> [String] {
    try await library.favorites.itemsHaveLoaded()
    return library.favorites.items.map(\.url.lastPathComponent)
  }
}

/// A time that a test sets.
final class SettableClock: Sendable {
  private let moment = Lock(Date(timeIntervalSince1970: 1_800_000_000))
  var now: Date {
    get { moment.withLock { $0 } }
    set { moment.withLock { $0 = newValue } }
  }
}

/// The bytes of ``image(_:bytes:)``, which no decoder reads.
func picture(_ number: Int) -> Data { Data("picture \(number)".utf8) }

/// A picture that differs from all others by its number.
func image(_ number: Int, bytes: Data? = nil) -> RemoteImage {
  RemoteImage(
    createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "https://a.example/\(number)")!,
    width: 4, height: 3,
    dataRepresentation: Attachment(bytes ?? picture(number)), source: "test")
}
