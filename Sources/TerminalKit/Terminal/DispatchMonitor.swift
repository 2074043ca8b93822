internal import CTimerDescriptor
internal import Dispatch
internal import Glibc

/// Silences the timer by which libdispatch looks, once a second and for ever, how many of its
/// threads are at work (`_dispatch_workq_monitor_pools` in its src/event/workqueue.c).
///
/// An idle program would wake for it 86,400 times a day. The timer hangs on a timerfd of its own:
/// libdispatch has one for each clock, this is the one of CLOCK_MONOTONIC, and nothing in Panda
/// waits by that clock. Swift's `Task.sleep` counts by CLOCK_BOOTTIME. What the timer is for,
/// starting more threads when all are blocked, is not needed here: what blocks has queues of its
/// own, which get a thread each in any case.
///
/// So `DispatchQueue.asyncAfter` and `SuspendingClock` must not be used in the program.
@MainActor
package final class DispatchMonitor {
  /// How long after something happened it is looked for the timer: libdispatch arms it anew
  /// whenever it fires, and whenever another of its timers does.
  private static let patience = 2

  /// A timer that is none of libdispatch's, for as long as the program runs: what it tells is an event of a descriptor.
  private let timer: Int32
  private let source: (any DispatchSourceRead)?
  private var isWaiting = false

  package init() {
    let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    self.timer = timer
    // Without it the program wakes once a second, which nobody notices.
    source =
      timer < 0 ? nil : DispatchSource.makeReadSource(fileDescriptor: timer, queue: .main)
    source?.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.look() }
    }
    source?.resume()
  }

  /// Says that something happens: a while later, nothing may be left that wakes the program.
  package func activity() {
    guard source != nil, !isWaiting else { return }
    isWaiting = true
    var moment = itimerspec()
    moment.it_value.tv_sec = Self.patience
    timerfd_settime(timer, 0, &moment, nil)
  }

  private func look() {
    var expirations: UInt64 = 0
    guard read(timer, &expirations, MemoryLayout.size(ofValue: expirations)) > 0 else { return }
    isWaiting = false
    // What has just been silenced may have been about to fire, and be armed again by that.
    if silence() { activity() }
  }

  /// Disarms the timers of CLOCK_MONOTONIC but our own; returns whether one had been armed.
  private func silence() -> Bool {
    var wasArmed = false
    for descriptor in Self.descriptors()
    where descriptor != timer && Self.clock(of: descriptor) == CLOCK_MONOTONIC {
      var current = itimerspec()
      guard timerfd_gettime(descriptor, &current) == 0 else { continue }
      guard current.it_value.tv_sec != 0 || current.it_value.tv_nsec != 0 else { continue }
      wasArmed = true
      var never = itimerspec()
      timerfd_settime(descriptor, 0, &never, nil)
    }
    return wasArmed
  }

  /// The numbers of the descriptors that are open.
  private static func descriptors() -> [Int32] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let number = Int32(name) { found.append(number) }
    }
    return found
  }

  /// The clock of a timerfd; nil for another descriptor (proc(5), /proc/pid/fdinfo).
  private static func clock(of descriptor: Int32) -> clockid_t? {
    let file = open("/proc/self/fdinfo/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("clockid:") }) else { return nil }
    return line.split(whereSeparator: \.isWhitespace).last.flatMap { clockid_t($0) }
  }
}
