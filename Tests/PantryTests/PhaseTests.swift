import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

extension Phase where Value: Equatable {
  /// Whether two phases are the same, errors aside.
  fileprivate func isLike(_ other: Phase) -> Bool {
    switch (self, other) {
    case (.initial, .initial), (.empty, .empty): true
    case (.loading(let one), .loading(let other)): one == other
    case (.loaded(let one), .loaded(let other)): one == other
    case (.failed(_, let one), .failed(_, let other)): one == other
    default: false
    }
  }
}

@Suite struct PhaseTests {
  private let failure = OutOfOrder()

  @Test func `the previous value stays available`() {
    let all: [Phase<Int>] = [
      .initial, .loading(previous: nil), .loading(previous: 1), .empty, .loaded(1),
      .failed(failure, previous: nil), .failed(failure, previous: 1),
    ]
    #expect(all.map(\.value) == [nil, nil, 1, nil, 1, nil, 1])
    #expect(all.map(\.isLoading) == [false, true, true, false, false, false, false])
    #expect(all.map { $0.error != nil } == [false, false, false, false, false, true, true])
    for phase in all {
      #expect(phase.starting().isLike(.loading(previous: phase.value)))
      #expect(phase.failing(with: failure).isLike(.failed(failure, previous: phase.value)))
      #expect(phase.succeeding(with: 2).isLike(.loaded(2)))
      #expect(phase.succeeding(with: nil).isLike(.empty))
      let cancelled: Phase<Int> =
        phase.isLoading ? phase.value.map(Phase.loaded) ?? .initial : phase
      #expect(phase.cancelling().isLike(cancelled))
    }
  }
}

@MainActor
@Suite struct LoaderTests {
  @Test func `a load goes through loading to its result, with the previous value`() async {
    let loader = Loader<[Int]>()
    #expect(loader.phase.isLike(.initial))
    await loader.load {
      #expect(loader.phase.isLike(.loading(previous: nil)))
      return [1]
    }
    #expect(loader.phase.isLike(.loaded([1])))
    await loader.load {
      #expect(loader.phase.isLike(.loading(previous: [1])))
      throw OutOfOrder()
    }
    #expect(loader.phase.isLike(.failed(OutOfOrder(), previous: [1])))
    #expect(loader.phase.error is OutOfOrder)
    await loader.load {
      #expect(loader.phase.isLike(.loading(previous: [1])))
      return []
    }
    #expect(loader.phase.isLike(.empty))
    await loader.load { throw OutOfOrder() }
    #expect(loader.phase.isLike(.failed(OutOfOrder(), previous: nil)))
  }

  @Test func `an existing value is the first one, and nil is initial`() async {
    let loader = Loader(7)
    #expect(loader.phase.isLike(.loaded(7)))
    await loader.load { nil }
    #expect(loader.phase.isLike(.empty))
    await loader.load { 8 }
    #expect(loader.phase.isLike(.loaded(8)))
  }

  @Test func `observers are notified of each phase`() async {
    let loader = Loader<Int>()
    let changes = ChangeCounter { loader.phase.value }
    await loader.load { 1 }
    #expect(changes.count == 2)
    #expect(changes.latest == 1)
  }

  @Test func `a canceled load restores the phase`() async throws {
    for former in [Phase<Int>.initial, .empty, .loaded(1), .failed(OutOfOrder(), previous: 1)] {
      let loader = Loader<Int>()
      switch former {
      case .empty: await loader.load { nil }
      case .loaded(let value): await loader.load { value }
      case .failed:
        await loader.load { 1 }
        await loader.load { throw OutOfOrder() }
      default: break
      }
      #expect(loader.phase.isLike(former))
      // A body that notices by itself, and one that fails for it in words of its own.
      await loader.load { throw CancellationError() }
      #expect(loader.phase.isLike(former))
      let task = Task {
        await loader.load {
          withUnsafeCurrentTask { $0?.cancel() }
          throw OutOfOrder()
        }
      }
      await task.value
      #expect(loader.phase.isLike(former))
      let waiting = Task {
        await loader.load {
          while true { try await Task.sleep(for: .seconds(60)) }
        }
      }
      try await eventually("it loads") { loader.phase.isLoading }
      waiting.cancel()
      await waiting.value
      #expect(loader.phase.isLike(former))
    }
  }

  /// How a load ends.
  enum End: CaseIterable { case success, failure, cancellation }

  @Test(arguments: End.allCases, End.allCases)
  func `the newer of two overlapping loads wins, and loading ends`(_ first: End, _ second: End)
    async throws
  {
    for isOlderFirst in [true, false] {
      let loader = Loader<String>("before")
      let loads = [first, second].enumerated().map { number, end in
        let commit = HeldCommit()
        let task = Task.immediate {
          await loader.load {
            try await commit.run()
            switch end {
            case .success: return "\(number)"
            case .failure: throw OutOfOrder()
            case .cancellation: throw CancellationError()
            }
          }
        }
        return (commit: commit, task: task)
      }
      for number in isOlderFirst ? [0, 1] : [1, 0] {
        #expect(loader.phase.value == "before" || number == 0)
        loads[number].commit.succeed()
        await loads[number].task.value
      }
      #expect(!loader.phase.isLoading)
      switch (second, first) {
      case (.success, _): #expect(loader.phase.isLike(.loaded("1")))
      case (.failure, _): #expect(loader.phase.isLike(.failed(OutOfOrder(), previous: "before")))
      // The older load counts if the newer one was canceled before it ended.
      case (.cancellation, .success) where !isOlderFirst:
        #expect(loader.phase.isLike(.loaded("0")))
      case (.cancellation, .failure) where !isOlderFirst:
        #expect(loader.phase.isLike(.failed(OutOfOrder(), previous: "before")))
      case (.cancellation, _): #expect(loader.phase.isLike(.loaded("before")))
      }
    }
  }
}
