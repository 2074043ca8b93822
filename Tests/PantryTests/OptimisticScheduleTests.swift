import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Two optimistic changes and a plain one in every order: memory ends as the storage does.
@MainActor
@Suite struct OptimisticScheduleTests {
  private typealias Change = @MainActor (Store<Note>, String) async -> Store<Note>.Operation

  /// The changes of a storage that has a and b; c is absent.
  private static let changes: [Change] = [
    { await $0.add(Note(id: "a", text: $1)) },
    { await $0.add(Note(id: "c", text: $1)) },
    { store, _ in await store.remove(Note(id: "a")) },
    { store, text in await store.update("a") { $0.text += text } },
    { store, _ in await store.removeAll() },
    { await $0.remove(Note(id: "a")).add(Note(id: "a", text: $1)) },
    { await $0.merge([Note(id: "b", text: $1), Note(id: "c", text: $1)], removing: ["a"]) },
    { await $0.removeAll().add([Note(id: "b", text: $1), Note(id: "c", text: $1)]) },
    { await $0.add([Note(id: "c", text: $1), Note(id: "a", text: $1)]) },
    { store, text in
      await store.merge([Note(id: "c", text: text), Note(id: "b", text: text)]) {
        Note(id: $0.id, text: $0.text + $1.text)
      }
    },
  ]

  private enum Event: CaseIterable { case beginA, beginB, plain, endA, endB }

  /// The orders of the events in which each change begins before it ends.
  private static let orders = permutations(of: Event.allCases).filter {
    $0.firstIndex(of: .beginA)! < $0.firstIndex(of: .endA)!
      && $0.firstIndex(of: .beginB)! < $0.firstIndex(of: .endB)!
  }

  private static func permutations(of events: [Event]) -> [[Event]] {
    guard !events.isEmpty else { return [[]] }
    return events.indices.flatMap { index in
      var rest = events
      let first = rest.remove(at: index)
      return permutations(of: rest).map { [first] + $0 }
    }
  }

  /// One order of two optimistic changes and a plain one, and which of the two fail.
  @MainActor
  private struct Schedule {
    let number: Int

    static var count: Int { changes.count * changes.count * changes.count * orders.count * 4 }

    private static var changes: [Change] { OptimisticScheduleTests.changes }
    private static var orders: [[Event]] { OptimisticScheduleTests.orders }

    /// The digits of the number: the changes A, B and plain, the order, and the failures.
    private var digits: [Int] {
      var rest = number
      return [Self.changes.count, Self.changes.count, Self.changes.count, Self.orders.count, 4]
        .map { base in
          defer { rest /= base }
          return rest % base
        }
    }

    /// Performs the events, one after another.
    func perform(on store: Store<Note>) async throws {
      let digits = digits
      let a = await Self.changes[digits[0]](store, "A")
      let b = await Self.changes[digits[1]](store, "B")
      let plain = await Self.changes[digits[2]](store, "P")
      var begun: [(commit: HeldCommit, task: Task<Void, any Error>)?] = [nil, nil]
      func end(_ index: Int) async {
        if digits[4] & (1 << index) == 0 {
          begun[index]?.commit.succeed()
        } else {
          begun[index]?.commit.fail()
        }
        _ = await begun[index]?.task.result
      }
      for event in Self.orders[digits[3]] {
        switch event {
        case .beginA: begun[0] = begin(a, in: store)
        case .beginB: begun[1] = begin(b, in: store)
        case .plain: try await plain.run()
        case .endA: await end(0)
        case .endB: await end(1)
        }
      }
    }

    var description: String {
      "changes \(digits[0]), \(digits[1]), plain \(digits[2]), "
        + "\(Self.orders[digits[3]]), failures \(digits[4])"
    }
  }

  /// The distance of the schedules that are performed; prime, so that all digits vary.
  private static func step(_ kind: EngineKind) -> Int {
    switch kind {
    case .memory: Torture.rounds(307, orTorture: 1)
    case .sqlite, .disk: Torture.rounds(2_503, orTorture: 97)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `in every order of two optimistic changes and another, memory ends as storage does`(
    _ kind: EngineKind
  ) async throws {
    #expect(Schedule.count == 120_000)
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let store = try await Store<Note>(storage: engine)
    var different: [String] = []
    for number in stride(from: 0, to: Schedule.count, by: Self.step(kind)) {
      let schedule = Schedule(number: number)
      try await store.removeAll().add([Note(id: "a", text: "-"), Note(id: "b", text: "-")]).run()
      try await schedule.perform(on: store)
      let rows = try await engine.readAllData().map {
        try JSONDecoder().decode(Note.self, from: $0)
      }
      if store.items != rows || !store.core.visible.provisional.keys.isEmpty {
        different.append("\(schedule.description): \(store.items) shown, \(rows) stored")
      }
    }
    #expect(different.isEmpty, "\(different.count) schedules, such as \(different.prefix(3))")
  }
}
