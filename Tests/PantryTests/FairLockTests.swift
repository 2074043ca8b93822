import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import Pantry
@testable import PantryRecovery

/// A process in which signals cut each pause short; its clock goes on by 1 µs at each look.
private final class InterruptedServices: ProcessServices {
  private let services = SystemServices()
  private let time = Lock(Duration.zero)

  var uptime: Duration {
    time.withLock {
      $0 += .microseconds(1)
      return $0
    }
  }

  func pause(for duration: Duration) {}

  var now: Date { services.now }
  var sqliteFileSystem: String? { services.sqliteFileSystem }
  func queue(label: String, isUrgent: Bool) -> any WorkQueue {
    services.queue(label: label, isUrgent: isUrgent)
  }
  func runInBackground(_ work: @escaping @Sendable () -> Void) { services.runInBackground(work) }
  func sleep(for duration: Duration) async throws { try await services.sleep(for: duration) }
  func random() -> UInt64 { services.random() }
  func watch(
    _ directory: String, on queue: any WorkQueue,
    handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) -> (any DirectoryWatch)? { nil }
  func freeByteCount(at path: String) -> Int { services.freeByteCount(at: path) }
  func atExit(_ work: @escaping @Sendable () -> Void) { services.atExit(work) }
}

/// Waiting for the lock of a file: in order, and as long as others make progress.
@Suite(.timeLimit(.minutes(30))) struct FairLockTests {
  let directory = TemporaryDirectory()

  @Test func `a wait lasts its time after the last progress, whatever interrupts its pauses`()
    throws
  {
    ProcessContext(InterruptedServices()).run {
      var wait = LockWait(patience: .microseconds(1_000))
      var passes = 0
      while wait.pass() { passes += 1 }
      #expect(passes == 1_000 && wait.isOver)
      // Each write begins it anew.
      let path = directory.path("log")
      func stamp(_ size: Int) -> [FileStamp?] {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(count: size)))
        return [FileStamp(path: path)]
      }
      wait = LockWait(patience: .microseconds(100))
      for size in 0..<50 {
        let stamp = stamp(size)
        passes = 0
        while passes < 99, wait.pass(seeing: stamp) { passes += 1 }
        #expect(passes == 99)
      }
      let last = stamp(50)
      passes = 0
      while wait.pass(seeing: last) { passes += 1 }
      #expect(passes == 100)
    }
  }

  @Test func `turns come in the order of the calls, and a process that dies keeps none`()
    async throws
  {
    let location = SQLiteLocation("pantry.sqlite", in: directory.storage, patience: 240_000)
    _ = try directory.engine()
    let observer = SQLiteNotifyFile(of: location)
    observer.openIfNeeded()
    for _ in 0..<Torture.rounds(5, orTorture: 500) {
      let first = SQLiteNotifyFile(of: location)
      #expect(first.takeTurn())
      let order = Lock<[Int]>([])
      var threads: [PosixThread] = []
      for number in 0..<4 {
        let file = SQLiteNotifyFile(of: location)
        threads.append(
          try PosixThread {
            #expect(file.takeTurn())
            order.withLock { $0.append(number) }
            // One ends without a word.
            if number == 1 { file.close() } else { file.endTurn() }
          })
        try await eventually("it waits") { file.ticket.withLock(\.self) != nil }
      }
      first.endTurn()
      for thread in threads { thread.join() }
      #expect(order.withLock(\.self) == [0, 1, 2, 3])
      #expect(!observer.othersAreWriting)
    }
  }

  /// Each counts in one item of all, so that each commit of one is news to the others.
  @Test(.enabled(if: Faults.arePossible))
  func `five processes on a slow disk each get their share, and none is refused`() async throws {
    let directory = TemporaryDirectory(inMemory: true)
    let milliseconds = Torture.rounds(20, orTorture: 400)
    let place = directory.storage.url.path(percentEncoded: false)
    let engine = try directory.engine("Note")
    let faults = try Faults.slow(milliseconds).environment(
      Faults.library(), directory: directory.url, journal: directory.path("journal"))
    let writers = try (0..<5).map {
      try ProbeProcess("PantryLiveProbe", ["count", place, "w\($0)"], environment: faults)
    }
    func counts() async throws -> [Int] {
      let keys = writers.indices.map { CacheKey(verbatim: "w\($0)") }
      return try await engine.readDataAndKeys(keys: keys).compactMap {
        Int(try JSONDecoder().decode(Note.self, from: $0.data).text)
      }
    }
    var begun: [Int] = []
    try await eventually("all write") {
      begun = try await counts()
      return begun.count == writers.count
    }
    // Six of each; 12 seconds in the long form.
    var shares: [Int] = []
    try await eventually("30 commits") {
      shares = zip(try await counts(), begun).map { $0 - $1 }
      return shares.reduce(0, +) >= 30
    }
    for writer in writers { try writer.write("stop") }
    for (index, writer) in writers.enumerated() {
      while await writer.line() != nil {}
      #expect(await writer.hasSucceeded(), "\(index)")
    }
    let share = shares.reduce(0, +) / shares.count
    #expect(shares.allSatisfy { $0 >= share / 2 }, "\(shares)")
  }

  @Test func `five tasks on a directory take turns, and another process is refused in words`()
    async throws
  {
    let place = directory.storage
    let engine = try DiskStorageEngine(directory: place)
    let store = try await Store<Note>(storage: engine)
    try await withThrowingTaskGroup { group in
      for task in 0..<5 {
        group.addTask {
          for number in 0..<20 { try await store.add(Note(id: "\(task)-\(number)")) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await engine.keyCount() == 100)
    let path = place.url.path(percentEncoded: false)
    let probe = try ProbeProcess("PantryLiveProbe", ["look", path, "disk"])
    #expect(await probe.line() == "\(StorageError.inUse(path: path))")
  }
}
