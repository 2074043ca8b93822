internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

struct SystemServices: ProcessServices {
  func queue(label: String, isUrgent: Bool) -> any WorkQueue {
    DispatchWorkQueue(label: label, qos: isUrgent ? .default : .utility)
  }

  func runInBackground(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .utility).async(execute: work)
  }

  var now: Date { Date() }

  var uptime: Duration { Self.start.duration(to: .now) }

  private static let start = ContinuousClock.now

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  func pause(for duration: Duration) {
    let (seconds, attoseconds) = duration.components
    usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
  }

  func random() -> UInt64 { .random(in: 0 ... .max) }

  func watch(
    _ directory: String, on queue: any WorkQueue,
    handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) -> (any DirectoryWatch)? {
    // A source of the kernel's events needs a queue of the system.
    (queue as? DispatchWorkQueue).flatMap {
      DirectoryMonitor(directory, on: $0.dispatch, handler: handler)
    }
  }

  var sqliteFileSystem: String? { nil }

  func freeByteCount(at path: String) -> Int {
    var system = statvfs()
    guard statvfs(path, &system) == 0 else { return .max }
    return Int(system.f_bavail) * Int(system.f_frsize)
  }

  func atExit(_ work: @escaping @Sendable () -> Void) { ExitHook.add(work) }
}
