internal import Foundation
internal import PandaTestSupport

/// A process's use of the processor, from /proc/PID/stat.
struct ProcessActivity {
  private let process: Int32

  init(of process: Int32) {
    self.process = process
  }

  /// Waits until the process has used no processor time for 200 ms.
  ///
  /// The kernel counts in steps of 10 ms.
  func waitForRest() async throws {
    var (former, since) = (try ticks(), ContinuousClock.now)
    let deadline = since + .seconds(60)
    while ContinuousClock.now - since < .milliseconds(200) {
      guard ContinuousClock.now < deadline else { throw TestFailure("No rest in a minute.") }
      try await Task.sleep(for: .milliseconds(20))
      let now = try ticks()
      if now != former { (former, since) = (now, .now) }
    }
  }

  /// Returns the processor time so far, of all threads.
  ///
  /// A tick is 10 ms, whatever the kernel's own are (USER_HZ; time(7)).
  func processorTime() throws -> Duration { .milliseconds(10 * (try ticks())) }

  /// The time in user mode and in the kernel (fields 14 and 15; proc(5)).
  private func ticks() throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      throw TestFailure("The process \(process) is gone.")
    }
    return user + system
  }
}
