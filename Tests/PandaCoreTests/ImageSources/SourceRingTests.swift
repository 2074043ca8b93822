import Foundation
import SystemSupport
import PandaTestSupport
import Pantry
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@MainActor
@Suite struct SourceRingTests {
  /// A source whose answers a test decides.
  private final class Stub: ImageSource {
    let name: String
    let calls = Lock(0)
    private let answer: @Sendable (Int) async throws -> Data

    init(_ name: String, _ answer: @escaping @Sendable (Int) async throws -> Data) {
      self.name = name
      self.answer = answer
    }

    var count: Int { calls.withLock(\.self) }

    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      return FetchedImage(
        url: URL(string: "https://\(name).example/\(call)")!, data: try await answer(call),
        source: name)
    }

    /// Returns a source that gives a different picture each time.
    static func good(_ name: String) -> Stub {
      let base = name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } % 100_000
      return Stub(name) { try picture(base * 1000 + UInt64($0)) }
    }

    static func failing(_ name: String, _ error: any Error) -> Stub {
      Stub(name) { _ in throw error }
    }
  }

  private nonisolated static func picture(_ seed: UInt64) throws -> Data {
    try BambooGrove.drawing(seed: seed, size: PixelSize(width: 16, height: 12)).pngData()
  }

  /// A clock controlled by the test: a sleep ends once the time reaches its end.
  private final class Time: Sendable {
    private struct State {
      var now = Duration.zero
      var sleepers: [(until: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Lock(State())

    var timer: MonotonicTimer {
      MonotonicTimer(now: { self.state.withLock { $0.now } }) { duration in
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            self.state.withLock { state in
              state.sleepers.append(
                (Task.isCancelled ? .zero : state.now + duration, continuation))
            }
            self.wake()
          }
        } onCancel: {
          self.state.withLock { state in
            for index in state.sleepers.indices { state.sleepers[index].until = state.now }
          }
          self.wake()
        }
        try Task.checkCancellation()
      }
    }

    var sleeping: Int { state.withLock { $0.sleepers.count } }

    func advance(_ duration: Duration) {
      state.withLock { $0.now += duration }
      wake()
    }

    private func wake() {
      let due = state.withLock { state in
        let due = state.sleepers.filter { $0.until <= state.now }
        state.sleepers.removeAll { $0.until <= state.now }
        return due
      }
      for sleeper in due { sleeper.continuation.resume() }
    }
  }

  private let time = Time()
  private let library = ImageLibrary(
    favorites: .loadingInBackground(storage: MemoryStorageEngine()))

  private func ring(_ stubs: [(Stub, weight: Int)]) -> SourceRing {
    SourceRing(
      stubs.map {
        SourceRing.Member(name: $0.0.name, source: $0.0, weight: $0.weight)
      }, name: "the public sources", library: library, gates: RequestGates(timer: time.timer),
      timer: time.timer, jitter: { 0 },
      now: { Date(timeIntervalSince1970: 5) })
  }

  private func ring(_ stubs: Stub...) -> SourceRing { ring(stubs.map { ($0, 1) }) }

  @Test func `sources take turns by weight`() async throws {
    let (a, b, c) = (Stub.good("a"), Stub.good("b"), Stub.good("c"))
    let ring = ring([(a, 3), (b, 1), (c, 0)])
    var names: [String] = []
    for _ in 0..<8 { names.append(try await ring.fetchImage { _ in }.source) }
    #expect(names.count { $0 == "a" } == 6 && names.count { $0 == "b" } == 2)
    #expect(ring.statuses.map(\.isReserve) == [false, false, true])
    #expect(ring.name == "the public sources" && ring.notesOwnAnswers)
  }

  @Test func `when one fails, the next is asked in the same fetch`() async throws {
    let bad = Stub.failing("a", HTTPError(.connectionRefused, host: "a"))
    let web = Stub("b") { _ in Data("<html>".utf8) }
    let ring = ring(bad, web, .good("c"))
    for _ in 0..<20 { #expect(try await ring.fetchImage { _ in }.source == "c") }
    // After three consecutive failures they back off.
    #expect(bad.count == 3 && web.count == 3)
    #expect(ring.statuses.map { $0.rest?.wait } == [.seconds(30), .seconds(30), nil])
    #expect(ring.statuses.map(\.failures) == [3, 3, 0])
    time.advance(.seconds(30))
    for _ in 0..<3 { #expect(try await ring.fetchImage { _ in }.source == "c") }
    #expect(bad.count + web.count > 6)
  }

  @Test func `a source slower than a second does not block the others`()
    async throws
  {
    let slow = Stub("a") { _ in
      try await Task.sleep(for: .seconds(3600))
      return Data()
    }
    let ring = ring(slow, .good("b"))
    let task = Task { try await ring.fetchImage { _ in } }
    try await eventually("the first is asked") { slow.count == 1 && time.sleeping == 1 }
    time.advance(.milliseconds(999))
    #expect(ring.statuses.map(\.isAsked) == [true, false])
    time.advance(.milliseconds(1))
    #expect(try await task.value.source == "b")
    try await eventually("the slow one is given up") { !ring.statuses[0].isAsked }
    #expect(ring.statuses[0].failures == 0)
  }

  @Test func `at most three are asked concurrently`() async throws {
    let slow = (0..<5).map { number in
      Stub("s\(number)") { _ in
        try await Task.sleep(for: .seconds(3600))
        return Data()
      }
    }
    let ring = ring(slow.map { ($0, 1) })
    let task = Task { try await ring.fetchImage { _ in } }
    for asked in 1...3 {
      try await eventually("\(asked) asked") {
        slow.reduce(0) { $0 + $1.count } == asked && time.sleeping == 1
      }
      time.advance(.seconds(1))
    }
    try await eventually("the timer is set again") { time.sleeping == 1 }
    time.advance(.seconds(1))
    try await eventually("the timer is set once more") { time.sleeping == 1 }
    #expect(slow.reduce(0) { $0 + $1.count } == 3)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `without a network two are asked, not all, and none is blamed`() async throws {
    let stubs = ["a", "b", "c", "d"].map { Stub.failing($0, HTTPError(.hostNotFound, host: $0)) }
    let ring = ring(stubs.map { ($0, 1) })
    for _ in 0..<4 {
      let error = await #expect(throws: ImageSourceError.self) {
        try await ring.fetchImage { _ in }
      }
      #expect(error?.message == "No service could be reached (no network?)")
    }
    #expect(stubs.reduce(0) { $0 + $1.count } == 8)
    #expect(ring.statuses.allSatisfy { $0.failures == 0 && $0.rest == nil })
  }

  @Test func `a source that rests does not make another look like the problem`() async throws {
    let stubs = ["a", "b"].map { Stub.failing($0, HTTPError(.hostNotFound, host: $0)) }
    let resting = Stub.failing("c", HTTPError(.resting(.seconds(20)), host: "c"))
    let ring = ring((stubs + [resting]).map { ($0, 1) })
    // Which two are asked first is random.
    for _ in 0..<20 {
      let error = await #expect(throws: (any Error).self) { try await ring.fetchImage { _ in } }
      #expect((error as? ImageSourceError)?.kind == .unreachable, "\(String(describing: error))")
    }
  }

  @Test func `one dead host does not look like a missing network`() async throws {
    let ring = ring(.failing("a", HTTPError(.hostNotFound, host: "a")), .good("b"))
    #expect(try await ring.fetchImage { _ in }.source == "b")
    #expect(ring.statuses.map(\.failures) == [1, 0])
  }

  @Test(arguments: [-400 * 86_400.0, 400 * 86_400.0])
  func `fault 30: a wait keeps its length although the wall clock jumps`(_ jump: Double)
    async throws
  {
    let wall = Lock(Date(timeIntervalSince1970: 1_790_000_000))
    let stub = Stub("a") { _ in
      throw HTTPError(.status(429, retryAfter: .seconds(60)), host: "a")
    }
    let ring = SourceRing(
      [SourceRing.Member(name: "a", source: stub, weight: 1)], name: "all",
      library: library, gates: RequestGates(timer: time.timer, now: { wall.withLock(\.self) }),
      timer: time.timer, jitter: { 0 }, now: { wall.withLock(\.self) })
    await #expect(throws: HTTPError.self) { try await ring.fetchImage { _ in } }
    wall.withLock { $0 += jump }
    #expect(ring.statuses[0].rest == RequestGate.Rest(wait: .seconds(60), reason: .request))
    time.advance(.seconds(59))
    let error = await #expect(throws: ImageSourceError.self) { try await ring.fetchImage { _ in } }
    #expect(error?.kind == .resting(.seconds(1)))
    #expect(stub.count == 1)
    time.advance(.seconds(1))
    await #expect(throws: HTTPError.self) { try await ring.fetchImage { _ in } }
    #expect(stub.count == 2)
  }

  @Test(arguments: [401, 403])
  func `a source that refuses is off until the next launch`(status: Int) async throws {
    let a = Stub.failing("a", HTTPError(.status(status, retryAfter: nil), host: "a"))
    let ring = ring(a)
    let error = await #expect(throws: HTTPError.self) { try await ring.fetchImage { _ in } }
    #expect(error?.status == status)
    time.advance(.seconds(100_000))
    let later = await #expect(throws: ImageSourceError.self) { try await ring.fetchImage { _ in } }
    #expect(later?.kind == .switchedOff)
    #expect(a.count == 1 && ring.statuses[0].rest?.reason == .refusal)
    // Enabling it again asks it again.
    ring.setEnabled(true, "a")
    await #expect(throws: HTTPError.self) { try await ring.fetchImage { _ in } }
    #expect(a.count == 2)
  }

  @Test func `a repeated picture is skipped for another source, without an endless loop`()
    async throws
  {
    let same = try Self.picture(1)
    let a = Stub("a") { _ in same }
    let b = Stub.good("b")
    let ring = ring([(a, 5), (b, 1)])
    var pictures: [Data] = []
    for _ in 0..<20 { pictures.append(try await ring.fetchImage { _ in }.data) }
    #expect(pictures.count { $0 == same } == 1)
    #expect(a.count == 4)
    // Without the other source, a repeated picture is better than none.
    ring.setEnabled(false, "b")
    time.advance(.seconds(30))
    #expect(try await ring.fetchImage { _ in }.data == same)
    #expect(a.count == 5)
  }

  @Test func `a recently seen picture is not shown again`() async throws {
    let old = try Self.picture(1)
    let seen = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 1), url: URL(string: "https://elsewhere.example/1")!,
      width: 16, height: 12, dataRepresentation: Attachment(old), source: "x")
    try await library.noteSeen(seen)
    let ring = ring(Stub("a") { _ in old }, .good("b"))
    #expect(try await ring.fetchImage { _ in }.source == "b")
  }

  @Test func `a disabled source is not asked, except by a test`() async throws {
    let (a, b) = (Stub.good("a"), Stub.good("b"))
    let ring = ring(a, b)
    ring.setEnabled(false, "a")
    for _ in 0..<3 { #expect(try await ring.fetchImage { _ in }.source == "b") }
    #expect(try await ring.test("a").source == "a")
    #expect(ring.statuses[0].last == .picture(title: nil, at: Date(timeIntervalSince1970: 5)))
    ring.setEnabled(false, "b")
    let error = await #expect(throws: ImageSourceError.self) { try await ring.fetchImage { _ in } }
    #expect(error?.kind == .switchedOff)
  }

  @Test func `when a picture breaks off, the others are asked in time`() async throws {
    let broken = Broken()
    let slow = Stub("b") { _ in
      try await Task.sleep(for: .seconds(3600))
      return Data()
    }
    let good = Stub.good("c")
    let sources: [(any ImageSource, String)] = [(broken, "a"), (slow, "b"), (good, "c")]
    let ring = SourceRing(
      sources.map { SourceRing.Member(name: $0.1, source: $0.0, weight: 1) },
      name: "all", library: library, gates: RequestGates(timer: time.timer), timer: time.timer,
      jitter: { 0 }, now: { Date(timeIntervalSince1970: 5) })
    let task = Task { try await ring.fetchImage { _ in } }
    try await eventually("the second is asked") { slow.count == 1 && time.sleeping == 1 }
    time.advance(.seconds(1))
    #expect(try await task.value.source == "c")
  }

  /// Delivers some bytes, and no more.
  private struct Broken: ImageSource {
    let name = "a"
    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      progress(FetchProgress(bytesReceived: 10))
      throw HTTPError(.truncated, host: "a")
    }
  }

  @Test func `health is recorded under the name that pictures refer to`() async throws {
    let ring = ring(.failing("a", ImageSourceError(.webPage, host: "a.example")), .good("b"))
    let controller = ImagesController(library: library, source: ring)
    let image = try await controller.fetchImage()
    #expect(image.source == "b")
    try await eventually("both are noted") {
      library.sources["a"] != nil && library.sources["b"] != nil
    }
    guard case .failing? = library.sources["a"]?.health else { throw TestFailure("a is well") }
    guard case .answering? = library.sources["b"]?.health else { throw TestFailure("b is not") }
    #expect(library.sources["the public sources"] == nil)
    #expect(ring.statuses[0].last.map { "\($0)" }?.contains("web page") == true)
  }

  @Test func `the ring of the program has every service, and shows pictures of the first`()
    async throws
  {
    let server = try ServiceServer()
    server.serve("/w/api.php", json: ServiceAnswers.commons([ServiceAnswers.commonsPage("a")]))
    for version in 1...2 { server.serve("/v\(version)/observations", json: "<html>") }
    server.serve("/v1/images/", json: ServiceAnswers.openverse(["b"]))
    let names = ["commons", "inaturalist", "openverse"]
    let ring = SourceRing(
      services: try names.map { try server.description($0) }, library: library,
      client: server.client, timer: time.timer)
    let controller = ImagesController(library: library, source: ring)
    let first = try await controller.fetchImage()
    #expect(first.source == "Wikimedia Commons" && first.credit == "Zoë & X")
    #expect(first.page?.host() == "commons.wikimedia.org")
    #expect(try await controller.fetchImage().source == "Openverse")
    #expect(ring.statuses.map(\.failures) == [0, 1, 0])
    await server.stop()
    let all = SourceRing(
      services: SourceDescription.builtIn, library: library, client: server.client)
    #expect(all.statuses.map(\.id) == SourceDescription.builtIn.map(\.name))
    #expect(
      all.statuses.map(\.isReserve) == [false, false, false, true, true, true, true])
  }
}
