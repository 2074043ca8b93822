import Foundation
import PandaTestSupport
import Synchronization
import Testing

@testable import PandaCore

@Suite struct PrefetchingSourceTests {
  /// A source that gives its pictures out when it is told to.
  final class Tap: ImageSource {
    let name = "tap"
    private let state = Mutex((started: 0, cancelled: 0))
    private let waiting = Mutex<[Int: CheckedContinuation<Void, any Error>]>([:])

    var started: Int { state.withLock(\.started) }
    var cancelled: Int { state.withLock(\.cancelled) }

    func fetchImage(progress: @escaping @Sendable (FetchProgress) -> Void) async throws
      -> FetchedImage
    {
      let number = state.withLock { state in
        state.started += 1
        return state.started
      }
      progress(FetchProgress(bytesReceived: number))
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          waiting.withLock { $0[number] = continuation }
        }
      } onCancel: {
        state.withLock { $0.cancelled += 1 }
        end(number, .failure(CancellationError()))
      }
      return FetchedImage(
        url: URL(string: "tap:\(number)")!, data: Data([1]), source: name)
    }

    func end(_ number: Int, _ result: Result<Void, any Error> = .success(())) {
      waiting.withLock { $0.removeValue(forKey: number) }?.resume(with: result)
    }

    func waitForStart(_ number: Int) async throws {
      try await eventually("request \(number) is under way") {
        waiting.withLock { $0[number] != nil }
      }
    }
  }

  struct Trouble: Error {}

  let tap = Tap()

  @Test func `the next picture is fetched before it is asked for`() async throws {
    let source = PrefetchingSource(tap)
    async let first = source.fetchImage { _ in }
    try await tap.waitForStart(1)
    tap.end(1)
    #expect(try await first.url.absoluteString == "tap:1")
    try await tap.waitForStart(2)
    tap.end(2)
    #expect(try await source.fetchImage { _ in }.url.absoluteString == "tap:2")
    try await tap.waitForStart(3)
    tap.end(3)
  }

  @Test func `who joins a request under way hears its progress`() async throws {
    let source = PrefetchingSource(tap)
    async let first = source.fetchImage { _ in }
    try await tap.waitForStart(1)
    tap.end(1)
    _ = try await first
    try await tap.waitForStart(2)
    let heard = Mutex<[Int]>([])
    async let second = source.fetchImage { progress in
      heard.withLock { $0.append(progress.bytesReceived) }
    }
    try await eventually("the progress is heard") { heard.withLock { $0 == [2] } }
    tap.end(2)
    _ = try await second
    try await tap.waitForStart(3)
    tap.end(3)
  }

  @Test func `cancelling who waits cancels the request`() async throws {
    let source = PrefetchingSource(tap)
    let task = Task { try await source.fetchImage { _ in } }
    try await tap.waitForStart(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(tap.cancelled == 1)
    async let next = source.fetchImage { _ in }
    try await tap.waitForStart(2)
    tap.end(2)
    #expect(try await next.url.absoluteString == "tap:2")
    try await tap.waitForStart(3)
    tap.end(3)
  }

  @Test func `a picture ahead that fails is tried anew when it is asked for`() async throws {
    let source = PrefetchingSource(tap)
    async let first = source.fetchImage { _ in }
    try await tap.waitForStart(1)
    tap.end(1)
    _ = try await first
    try await tap.waitForStart(2)
    tap.end(2, .failure(Trouble()))
    // Whoever comes before the failure has been noted is told of it, and asks again.
    let asking = Task {
      while true {
        do { return try await source.fetchImage { _ in } } catch is Trouble { continue }
      }
    }
    try await tap.waitForStart(3)
    tap.end(3)
    #expect(try await asking.value.url.absoluteString == "tap:3")
    try await tap.waitForStart(4)
    tap.end(4)
  }
}
