import CSimulatedDisk
import FoundationEssentials
import Glibc
import Pantry
import SystemSupport

/// One computer: a directory in memory, a disk that can lose power, and the news of its files.
final class SimulatedMachine: @unchecked Sendable {
  let directory: String
  var databasePath: String { directory + "/pantry.sqlite" }
  let disk: OpaquePointer
  private var inotify: Int32
  private var watches: [Weak] = []
  /// How often each kind of call to the disk, and each fault, has occurred.
  private(set) var calls: [UInt32: Int] = [:]
  private(set) var faults: [PlannedFault.Kind: Int] = [:]
  /// The changes that were under way when faults came.
  private(set) var pairs: Set<Pair> = []
  /// The files of values whose names are not durable, with what they had before; nil for no file.
  private var formerValues: [String: Data?] = [:]

  private struct Weak {
    weak var watch: SimulatedWatch?
  }

  /// - Parameter directory: an empty directory on a file system in memory.
  init(directory: String) {
    self.directory = directory
    disk = simulated_disk_create()
    inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    precondition(inotify >= 0, "there is no inotify")
    let mask = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    precondition(inotify_add_watch(inotify, directory, UInt32(mask)) >= 0)
  }

  /// Ends the watch over its directory.
  func end() {
    if inotify >= 0 { close(inotify) }
    inotify = -1
  }

  deinit {
    end()
    simulated_disk_destroy(disk)
  }

  func note(_ call: simulated_call, _ file: simulated_file) {
    calls[call.rawValue * 16 + file.rawValue, default: 0] += 1
  }

  /// Whether a flush has failed, so that the order of what reaches the disk is lost.
  var hasFailedToSync: Bool { faults[.failure(SQLiteCode.syncError)] != nil }

  /// Whether a write to a file has failed.
  var hasFailedToWrite: Bool {
    faults[.failure(SQLiteCode.full)] != nil || faults[.failure(SQLiteCode.writeError)] != nil
  }

  func note(_ pairs: [Pair]) { self.pairs.formUnion(pairs) }

  func note(_ fault: PlannedFault.Kind) { faults[fault, default: 0] += 1 }

  /// Notes that the file of a value is about to get other bytes, under a name that is not flushed.
  func noteRename(to path: String) {
    if formerValues[path] == nil {
      formerValues[path] = .some(try? Data(contentsOf: URL(filePath: path)))
    }
  }

  /// Notes that the program has flushed a file.
  func noteFlush(of path: String) { simulated_disk_note_flush(disk, path) }

  func noteFlushOfNames() { formerValues = [:] }

  /// Loses the writes that were not synced, or some of them; all processes must have ended.
  func losePower() {
    Scheduler.current.trace.note("the power fails")
    let result = simulated_disk_lose_power(
      disk, directory, { _ in Scheduler.current.random.next() }, nil)
    precondition(result == 0, "the power failure failed: \(result)")
    for (path, former) in formerValues.sorted(by: { $0.key < $1.key }) {
      guard Scheduler.current.random.oneIn(2) else { continue }
      unlink(path)
      try? former?.write(to: URL(filePath: path))  // a file that is gone is found by the check
    }
    formerValues = [:]
  }

  // MARK: The news of files

  func watch(
    on queue: any WorkQueue, _ handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) -> SimulatedWatch {
    distributeEvents()
    let watch = SimulatedWatch(self, on: queue, handler)
    watches.removeAll { $0.watch == nil }
    watches.append(Weak(watch: watch))
    return watch
  }

  /// Gives the kernel's events to the watches.
  func distributeEvents() {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while true {
        let count = read(inotify, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset < count {
          let head = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let name = buffer[start..<start + Int(head.len)].prefix { $0 != 0 }
          offset = start + Int(head.len)
          let isWrite = Int32(bitPattern: head.mask) & IN_MODIFY != 0
          for watch in watches {
            watch.watch?.note(String(decoding: name, as: UTF8.self), isWrite: isWrite)
          }
        }
      }
    }
  }
}

/// The watch of one process over the directory: its news come late, twice or merged.
final class SimulatedWatch: DirectoryWatch, @unchecked Sendable {
  private let machine: SimulatedMachine
  private let queue: any WorkQueue
  private let handler: @Sendable (DirectoryEvents) -> Void
  private var isPaused = false
  private var events = DirectoryEvents()
  private var isScheduled = false

  init(
    _ machine: SimulatedMachine, on queue: any WorkQueue,
    _ handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) {
    self.machine = machine
    self.queue = queue
    self.handler = handler
  }

  func pause() {
    machine.distributeEvents()
    isPaused = true
  }

  func resume() {
    machine.distributeEvents()
    isPaused = false
  }

  func note(_ name: String, isWrite: Bool) {
    if isWrite {
      guard !isPaused else { return }
      events.written.insert(name)
      events.lastWritten = name
    } else {
      events.named.insert(name)
    }
    guard !isScheduled else { return }
    isScheduled = true
    let delay = Scheduler.current.random.pick([0, 0, 0, 1, 5, 50])
    queue.async(after: .milliseconds(delay)) { [weak self] in self?.deliver() }
  }

  private func deliver() {
    isScheduled = false
    machine.distributeEvents()
    let report = events
    events = DirectoryEvents()
    handler(report)
    if Scheduler.current.random.oneIn(8) { queue.async { [handler] in handler(report) } }
  }
}
