internal import FoundationEssentials

/// Provides the time, and is the only place where the program waits.
///
/// Tests use a clock that they advance themselves and that counts pending waits.
@MainActor
protocol AppClock: AnyObject {
  /// The time since the program started.
  var moment: Duration { get }

  var date: Date { get }

  func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void)
}

@MainActor
final class SystemClock: AppClock {
  private let start = ContinuousClock.now

  var moment: Duration { start.duration(to: .now) }
  var date: Date { Date() }

  func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void) {
    Task {
      // Sleeping fails only in a task that is canceled, which this one never is.
      try? await Task.sleep(for: delay)
      action()
    }
  }
}
