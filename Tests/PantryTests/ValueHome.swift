import Foundation
import SystemSupport
import Observation
import PandaTestSupport

@testable import Pantry

/// A fresh directory for values, and the files in it.
final class ValueHome: Sendable {
  let directory = TemporaryDirectory()
  var storage: StorageDirectory { directory.storage }
  /// The file in which 0.1.0 kept all values.
  var formerFile: URL { storage.url.appending(path: "values.json") }

  func file(_ key: String) -> URL {
    storage.url.appending(path: "values.json.d").appending(path: ValueFile.name(key))
  }

  func value<Item: StorableItem>(
    _ key: String, _ item: Item, registry: ValueRegistry
  ) -> StoredValue<Item> {
    StoredValue(wrappedValue: item, key: key, directory: storage, registry: registry)
  }

  func value<Item: StorableItem>(_ item: Item, registry: ValueRegistry) -> StoredValue<Item> {
    value("key", item, registry: registry)
  }

  func text(_ key: String = "key") throws -> String {
    try String(contentsOf: file(key), encoding: .utf8)
  }

  /// Writes a file without Pantry.
  func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The names in the directory of values.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: storage.url.appending(path: "values.json.d").path(percentEncoded: false)
      ).sorted()
    }
  }
}

/// Nested, with an enum and an optional.
struct Prefs: Codable, Equatable, Sendable {
  enum Theme: String, Codable, Sendable { case light, dark }
  struct Panel: Codable, Equatable, Sendable {
    var isOpen = true
    var width = 20
  }
  var theme = Theme.light
  var panel = Panel()
  var name: String?
}

/// Holds a value as an app does.
@MainActor @Observable
final class AppState {
  @ObservationIgnored @StoredValue var isOpen: Bool

  init(isOpen: StoredValue<Bool>) { _isOpen = isOpen }
}

/// Counts how often something observed changes, on whatever thread.
final class SendableChangeCounter: Sendable {
  private let counted = Lock(0)
  private let read: @Sendable () -> Void
  var count: Int { counted.withLock(\.self) }

  init(_ read: @escaping @Sendable () -> Void) {
    self.read = read
    observe()
  }

  private func observe() {
    withObservationTracking(read) { [weak self] in
      self?.counted.withLock { $0 += 1 }
      self?.observe()
    }
  }
}
