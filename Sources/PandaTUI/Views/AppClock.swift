internal import FoundationEssentials

/// The time, and the only place of the program where it waits.
///
/// Tests have one that they turn themselves, which also counts what waits.
@MainActor
protocol AppClock: AnyObject {
  /// The time since the program started.
  var moment: Duration { get }

  /// The date and the time of day.
  var date: Date { get }

  /// Runs an action once, after a delay.
  func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void)
}

/// The clock of the system.
@MainActor
final class SystemClock: AppClock {
  private let start = ContinuousClock.now

  var moment: Duration { start.duration(to: .now) }
  var date: Date { Date() }

  func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void) {
    Task {
      // Sleeping fails only in a task that is canceled, which this one never is.
      try? await Task.sleep(for: delay)  // see above
      action()
    }
  }
}
