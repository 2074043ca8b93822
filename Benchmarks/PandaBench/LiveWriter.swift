internal import Foundation
internal import Pantry
internal import PantryPostgres

/// A process that commits one note after another, for others to follow.
///
/// For each note it prints when it called the store and when the call returned.
enum LiveWriter {
  static let childArgument = "live-writer"

  /// The note that it writes.
  struct Message: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text: String
  }

  /// The current time in nanoseconds on a clock shared by all processes (CLOCK_MONOTONIC).
  static var now: UInt64 { clock_gettime_nsec(CLOCK_MONOTONIC) }

  static func store(in directory: URL) async throws -> Store<Message> {
    try await Store(storage: SQLiteStorageEngine(directory: StorageDirectory(url: directory)))
  }

  static func store(at address: String) async throws -> Store<Message> {
    try await Store(storage: PostgresStorageEngine(address, namespace: "messages"))
  }

  /// - Parameter arguments: its name, the number of notes, the pause between them in microseconds,
  ///   the directory or the server's address.
  @MainActor
  static func main(_ arguments: [String]) async throws {
    guard arguments.count == 4, let count = Int(arguments[1]), let pause = Int(arguments[2]) else {
      throw BenchmarkFailure(description: "Only this program starts a child.")
    }
    let store =
      try await arguments[3].hasPrefix("postgresql://")
      ? store(at: arguments[3]) : store(in: URL(filePath: arguments[3]))
    let text = String(repeating: "red panda ", count: 100)
    var times: [(called: UInt64, returned: UInt64)] = []
    for number in 0..<count {
      let called = now
      try await store.add(Message(id: "\(arguments[0])-\(number)", text: text))
      times.append((called, now))
      if pause > 0 { try await Task.sleep(for: .microseconds(pause)) }
    }
    for (number, time) in times.enumerated() {
      print("\(arguments[0])-\(number) \(time.called) \(time.returned)")
    }
  }

  private static func clock_gettime_nsec(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
