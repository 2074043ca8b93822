import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import Testing

/// Stores of several machines that write all the time, and what became of each write.
///
/// Each adds notes of its own and counts in a common one.
@MainActor
final class BusyStores {
  struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text = ""
  }

  let stores: [Store<Note>]
  /// The notes that are there for certain.
  private(set) var acknowledged: Set<String> = []
  /// The notes whose adding has failed for certain.
  private(set) var failed: Set<String> = []
  /// The reasons of failures.
  private(set) var reasons: Set<String> = []
  private var counted = 0
  private var perhapsCounted = 0

  /// After how many notes each store counts again.
  private let countInterval: Int
  private var isOver = false
  private var writers: [Task<Void, any Error>] = []
  private var watchers: [Task<Void, Never>] = []
  /// How often each store was notified of each note.
  private var told: [[String: Int]]

  /// Opens a store at each address.
  ///
  /// - Parameters:
  ///   - silence: how long a server may be silent.
  ///   - countInterval: after how many notes each store counts again. If one is much slower than
  ///     others that count all the time, it loses to them again and again.
  init(at addresses: [String], silence: Duration? = nil, countInterval: Int = 1) async throws {
    self.countInterval = countInterval
    let engines = try addresses.enumerated().map { index, address in
      try PostgresStorageEngine(
        address + " application_name=machine\(index)", namespace: "notes")
    }
    stores = engines.map { .loadingInBackground(storage: $0) }
    told = stores.map { _ in [:] }
    for (index, store) in stores.enumerated() {
      try await store.itemsHaveLoaded()
      let events = store.events
      watchers.append(
        Task { [weak self] in
          for await event in events where event.operation == .insert {
            // The sum is reported for each change.
            for note in event.items where note.id != "sum" {
              self?.told[index][note.id, default: 0] += 1
            }
          }
        })
    }
    try await stores[0].add(Note(id: "sum", text: "0"))
    for store in stores { try await eventually("the sum") { store["sum"] != nil } }
    if let silence {
      for engine in engines { await engine.limitSilence(to: silence) }
    }
  }

  /// Begins to write, each store for itself.
  func start() {
    for index in stores.indices {
      writers.append(Task { try await write(stores[index], "m\(index)") })
    }
  }

  /// Returns once there are so many more acknowledged notes.
  func progress(_ count: Int = 1) async throws {
    let before = acknowledged.count
    try await eventually("\(count) more notes", seen: { self.description }) {
      acknowledged.count >= before + count
    }
  }

  /// Returns once a store has so many more acknowledged notes.
  func progress(_ count: Int, of index: Int) async throws {
    func own() -> Int { acknowledged.count { $0.hasPrefix("m\(index)-") } }
    let before = own()
    try await eventually("\(count) more of \(index)", seen: { self.description }) {
      own() >= before + count
    }
  }

  private func write(_ store: Store<Note>, _ name: String) async throws {
    for number in 0... {
      guard !isOver else { return }
      let id = "\(name)-\(number)"
      do {
        try await store.add(Note(id: id))
        acknowledged.insert(id)
        guard number.isMultiple(of: countInterval) else { continue }
        try await store.update("sum") { $0.text = "\((Int($0.text) ?? 0) + 1)" }
        counted += 1
      } catch {
        let isUnknown = if case .outcomeUnknown = error as? StorageError { true } else { false }
        if acknowledged.contains(id) {
          if isUnknown { perhapsCounted += 1 }
        } else if !isUnknown {
          failed.insert(id)
        }
        reasons.insert("\(error)")
        // It comes back by itself.
        try await eventually("a connection", seen: { self.description }) {
          if case .cutOff = store.connection { isOver } else { true }
        }
      }
    }
  }

  /// Stops writing, and checks that nothing is lost, present despite its error, or reported twice.
  func finish() async throws {
    isOver = true
    for writer in writers { try await writer.value }
    let all = stores[0]
    try await eventually("all stores are equal", seen: { self.description }) {
      stores.allSatisfy { $0.connection == .connected && $0.items == all.items }
        && acknowledged.isSubset(of: all.items.map(\.id))
    }
    let there = Set(all.items.map(\.id))
    #expect(failed.isDisjoint(with: there), "\(failed.intersection(there).sorted())")
    let sum = try #require(Int(all["sum"]?.text ?? ""))
    #expect(sum >= counted && sum <= counted + perhapsCounted)
    try await eventually("all are told", seen: { self.description }) {
      told.allSatisfy { Set($0.keys) == there.subtracting(["sum"]) }
    }
    for watcher in watchers { watcher.cancel() }
    for counts in told {
      #expect(counts.allSatisfy { $0.value == 1 }, "\(counts.filter { $0.value > 1 })")
    }
  }

  var description: String {
    """
    \(acknowledged.count) added, \(failed.count) failed, \(counted) counted, perhaps \
    \(perhapsCounted) more; \(stores.map { "\($0.items.count) \($0.connection)" }); \
    \(reasons.sorted())
    """
  }
}
