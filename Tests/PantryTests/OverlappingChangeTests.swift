import PandaTestSupport
import Testing

@testable import Pantry

/// Changes that are shown before they are saved, and overlap.
@MainActor
@Suite struct OverlappingChangeTests {
  /// In which order three changes end, and which of them fail.
  struct Ends: CustomTestStringConvertible, Sendable {
    let order: [Int]
    let failing: Set<Int>
    var testDescription: String { "\(order), of which fail \(failing.sorted())" }

    static let all = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
      .flatMap { order in
        (0..<8).map { bits in
          Ends(order: order, failing: Set((0..<3).filter { bits & (1 << $0) != 0 }))
        }
      }
  }

  /// All ends in memory, and some on the engines with files, which the order does not concern.
  private nonisolated static let ends = EngineKind.allCases.flatMap { kind in
    let step = kind == .memory ? 1 : Torture.rounds(7, orTorture: 1)
    return stride(from: 0, to: Ends.all.count, by: step).map { (kind, Ends.all[$0]) }
  }

  /// Begins the three changes, ends them in that order, and compares the shown and the stored state
  /// after each.
  private func overlap(
    _ kind: EngineKind, _ ends: Ends,
    _ changes: [@MainActor (Store<Note>) async -> Store<Note>.Operation],
    expected: (_ changes: [Int]) -> [String]
  ) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(Note(id: "a", text: "-"))
    func texts(_ notes: [Note]) -> [String] { notes.map(\.text).sorted() }
    var begun: [(commit: HeldCommit, task: Task<Void, any Error>)] = []
    for change in changes { begun.append(begin(await change(store), in: store)) }
    var shown: [Int] = [0, 1, 2]
    var written: [Int] = []
    #expect(texts(store.items) == expected(shown))
    for number in ends.order {
      let change = begun[number]
      if ends.failing.contains(number) {
        shown.removeAll { $0 == number }
        change.commit.fail()
      } else {
        written = (written + [number]).sorted()
        change.commit.succeed()
      }
      _ = await change.task.result
      #expect(texts(store.items) == expected(shown))
      #expect(texts(try await Store<Note>(storage: storage.open()).items) == expected(written))
    }
    #expect(store.core.provisional.keys.isEmpty)
  }

  @Test(arguments: ends)
  func `overlapping updates of one item end with the successful ones`(
    _ kind: EngineKind, _ ends: Ends
  ) async throws {
    try await overlap(
      kind, ends, (0..<3).map { number in { await $0.update("a") { $0.text += "\(number)" } } }
    ) { changes in ["-" + changes.map(String.init).joined()] }
  }

  @Test(arguments: ends)
  func `overlapping additions and removals of one item end with the last successful one`(
    _ kind: EngineKind, _ ends: Ends
  ) async throws {
    let changes: [@MainActor (Store<Note>) async -> Store<Note>.Operation] = [
      { await $0.add(Note(id: "a", text: "0")) }, { await $0.removeAll() },
      { await $0.add([Note(id: "a", text: "2"), Note(id: "b", text: "b")]) },
    ]
    try await overlap(kind, ends, changes) { changes in
      switch changes.last {
      case nil: ["-"]
      case 0: ["0"]
      case 1: []
      default: ["2", "b"]
      }
    }
  }
}
