internal import CTurboJPEG
internal import Foundation
internal import SystemSupport
internal import Testing

@testable import PictureCodecs

@Suite("The budget of all decoders")
struct DecodingBudgetTests {
  /// Decoders that note how many of them run, until they are let go.
  private final class Crowd: Sendable {
    let budget: DecodingBudget
    private let order = Lock<[Int]>([])

    init(_ budget: DecodingBudget) { self.budget = budget }

    var begun: [Int] { order.withLock(\.self) }

    /// Begins to take so many bytes, and ends when its task is canceled.
    func start(_ number: Int, _ bytes: Int) -> Task<Void, any Error> {
      Task {
        try await budget.begin(bytes)
        order.withLock { $0.append(number) }
        // Canceled by the test.
        while !Task.isCancelled { await Task.yield() }
        budget.end(bytes)
      }
    }

    func waits(for condition: () -> Bool) async {
      let deadline = ContinuousClock.now + .seconds(60)
      while !condition(), ContinuousClock.now < deadline { await Task.yield() }
    }
  }

  @Test("fault 100: as many run as there are cores, the others in the order of their coming")
  func cores() async throws {
    let crowd = Crowd(DecodingBudget(decoders: 2, bytes: 1_000))
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<5 {
      tasks.append(crowd.start(number, 1))
      await crowd.waits { crowd.begun.count + crowd.budget.waitingCount == number + 1 }
    }
    #expect(crowd.begun == [0, 1])
    for number in 0..<5 {
      await crowd.waits { crowd.begun.contains(number) }
      tasks[number].cancel()
      try await tasks[number].value
    }
    #expect(crowd.begun == [0, 1, 2, 3, 4])
    #expect(crowd.budget.waitingCount == 0)
  }

  @Test("fault 100: what is larger than the memory runs alone, and nothing overtakes it")
  func alone() async throws {
    let crowd = Crowd(DecodingBudget(decoders: 4, bytes: 100))
    let sizes = [60, 30, 500, 10]
    var tasks: [Task<Void, any Error>] = []
    for (number, bytes) in sizes.enumerated() {
      tasks.append(crowd.start(number, bytes))
      await crowd.waits { crowd.begun.count + crowd.budget.waitingCount == number + 1 }
    }
    #expect(crowd.begun == [0, 1] && crowd.budget.waitingCount == 2)
    tasks[0].cancel()
    try await tasks[0].value
    #expect(crowd.begun == [0, 1] && crowd.budget.waitingCount == 2)
    tasks[1].cancel()
    await crowd.waits { crowd.begun.count == 3 }
    #expect(crowd.begun == [0, 1, 2] && crowd.budget.waitingCount == 1)
    tasks[2].cancel()
    await crowd.waits { crowd.begun.count == 4 }
    tasks[3].cancel()
    try await tasks[3].value
    #expect(crowd.begun == [0, 1, 2, 3])
  }

  @Test("One that is canceled while it waits lets the others pass")
  func canceled() async throws {
    let crowd = Crowd(DecodingBudget(decoders: 2, bytes: 100))
    let first = crowd.start(0, 80)
    await crowd.waits { crowd.begun == [0] }
    let large = crowd.start(1, 90)
    await crowd.waits { crowd.budget.waitingCount == 1 }
    let small = crowd.start(2, 10)
    await crowd.waits { crowd.budget.waitingCount == 2 }
    large.cancel()
    await #expect(throws: CancellationError.self) { try await large.value }
    await crowd.waits { crowd.begun == [0, 2] }
    #expect(crowd.begun == [0, 2])
    first.cancel()
    small.cancel()
    try await first.value
    try await small.value
  }

  @Test("fault 100: many large pictures at a time take the memory of two")
  func decoding() async throws {
    let budget = DecodingBudget(decoders: 2, bytes: 1)
    var writer = JPEGWriter(width: 256, height: 256)
    writer.flags = panda_tj_progressive
    let data = Data(try writer.bytes())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let picture = try await PictureDecoder(budget: budget).decode(
            data, covering: PixelSize(width: 32, height: 32))
          #expect(picture.bitmap.shows(within: 12))
        }
      }
      try await group.waitForAll()
    }
    #expect(budget.waitingCount == 0)
  }
}
