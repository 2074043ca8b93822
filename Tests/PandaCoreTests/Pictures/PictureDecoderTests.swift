internal import Dispatch
internal import Foundation
internal import Testing

@testable internal import PandaCore

extension PictureDecoder {
  /// Stands for a decode that takes long: holds this decoder's thread until it is let go.
  fileprivate func hold(until gate: DispatchSemaphore, began: DispatchGroup) {
    began.leave()
    gate.wait()
  }
}

@Suite("The decoder as an actor")
struct PictureDecoderTests {
  @Test("Busy decoders take no thread of the cooperative pool", .timeLimit(.minutes(1)))
  func ownThreads() async {
    let gate = DispatchSemaphore(value: 0)
    let began = DispatchGroup()
    // More than there are cores, and so threads in the pool.
    let decoders = (0..<(ProcessInfo.processInfo.activeProcessorCount + 2)).map { _ in
      PictureDecoder()
    }
    let held = decoders.map { decoder in
      began.enter()
      return Task { await decoder.hold(until: gate, began: began) }
    }
    await withCheckedContinuation { continuation in
      began.notify(queue: .global()) { continuation.resume() }
    }
    let answer = await Task.detached { 6 * 7 }.value
    #expect(answer == 42)
    for _ in decoders { gate.signal() }
    for task in held { await task.value }
  }

  @Test("A cancelled decode throws CancellationError")
  func cancelled() async throws {
    let bytes = PNGWriter().bytes()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await PictureDecoder().decode(bytes)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A cancellation is noticed between rows", arguments: [false, true])
  func cancelledBetweenRows(isInterlaced: Bool) async throws {
    let bytes = PNGWriter(isInterlaced: isInterlaced).bytes()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      // The decoder proper, without the actor's own check before it.
      _ = try bytes.withUnsafeBytes {
        try PNGDecoder.decode($0, covering: PixelSize(width: 1, height: 1), limits: .standard)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Several pictures at once come out whole")
  func concurrent() async throws {
    let decoder = PictureDecoder()
    let pictures = [PNGWriter().bytes(), try JPEGWriter().bytes(), try fixture("ycck.jpg")]
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<30 {
        group.addTask { try await decoder.decode(pictures[index % 3]).bitmap.shows(within: 8) }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
