internal import Dispatch
internal import Foundation
internal import SystemSupport
internal import Testing

@testable import PictureCodecs

extension PictureDecoder {
  /// Simulates a long decode: holds this decoder's thread until signaled.
  fileprivate func hold(until gate: DispatchSemaphore, began: DispatchGroup) {
    began.leave()
    gate.wait()
  }
}

@Suite("The decoder as an actor")
struct PictureDecoderTests {
  @Test("Busy decoders take no thread of the cooperative pool", .timeLimit(.minutes(15)))
  func ownThreads() async {
    let gate = DispatchSemaphore(value: 0)
    let began = DispatchGroup()
    // More than there are cores, and therefore threads in the pool.
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

  @Test("A canceled decode throws CancellationError")
  func cancelled() async throws {
    let bytes = PNGWriter().bytes()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await PictureDecoder().decode(bytes)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// Pictures of the formats that are decoded in rows or pieces.
  private static func pictures() throws -> [(String, [UInt8])] {
    [
      ("png", PNGWriter().bytes()), ("interlaced png", PNGWriter(isInterlaced: true).bytes()),
      ("gif", GIFWriter().bytes()),
      ("interlaced gif", GIFWriter(images: [.init(isInterlaced: true)]).bytes()),
      ("webp", try fixture("noise.webp")), ("lossless webp", try fixture("lossless.webp")),
      ("jpeg", try JPEGWriter().bytes()),
    ]
  }

  @Test("A cancellation is noticed within every decoder, without the actor's own check")
  func cancelledWithin() async throws {
    for (name, bytes) in try Self.pictures() {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try bytes.withUnsafeBytes { bytes in
          let target = PixelSize(width: 1, height: 1)
          let deadline = DecodingDeadline(after: .seconds(60))
          switch PictureFormat(sniffing: bytes) {
          case .png:
            _ = try PNGDecoder.decode(
              bytes, covering: target, limits: .network, deadline: deadline)
          case .gif:
            _ = try GIFDecoder.decode(
              bytes, covering: target, limits: .network, deadline: deadline)
          case .webp:
            _ = try WebPDecoder.decode(
              bytes, covering: target, limits: .network, deadline: deadline)
          default:
            _ = try JPEGDecoder.decode(
              bytes, .sRGB, covering: target, limits: .network, deadline: deadline)
          }
        }
      }
      await #expect(throws: CancellationError.self, "\(name)") { try await task.value }
    }
  }

  @Test("A picture that exceeds the time limit is abandoned between rows")
  func tooSlow() async throws {
    for (name, bytes) in try Self.pictures() {
      // Each reading of this clock advances it by a second.
      let clock = Lock(ContinuousClock.now)
      let decoder = PictureDecoder(limits: PictureLimits(decodingTime: .seconds(1))) {
        clock.withLock { now in
          now += .seconds(1)
          return now
        }
      }
      let kind = await errorKind { _ = try await decoder.decode(bytes) }
      #expect(kind == .tooSlow(limit: .seconds(1)), "\(name)")
      // The decoder is ready for the next picture.
      #expect(await errorKind { _ = try await decoder.decode([1]) } == .notAPicture(nil))
    }
  }

  @Test("The time limit applies within a picture, not only before it")
  func tooSlowWithin() async throws {
    for (name, bytes) in try Self.pictures() where name != "jpeg" {
      let looks = Lock(0)
      let start = ContinuousClock.now
      func decoder(_ seconds: Int) -> PictureDecoder {
        PictureDecoder(limits: PictureLimits(decodingTime: .seconds(seconds))) {
          looks.withLock { looks in
            looks += 1
            return start + .seconds(looks)
          }
        }
      }
      _ = try await decoder(1_000).decode(bytes)
      let count = looks.withLock { looks in
        defer { looks = 0 }
        return looks
      }
      // Only the last check of all is too late.
      let kind = await errorKind { _ = try await decoder(count - 1).decode(bytes) }
      #expect(kind == .tooSlow(limit: .seconds(count - 1)), "\(name): \(count)")
    }
  }
}
