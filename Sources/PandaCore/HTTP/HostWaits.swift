package import FoundationEssentials
package import Pantry

/// Keeps how long hosts have asked to be left alone, for all later launches and commands.
///
/// The dates are of the wall clock. If that was set back, the rest of a wait is unknown: it is 15
/// minutes at most.
package final class HostWaits: Sendable {
  struct Wait: Codable, Equatable, Sendable {
    let seconds: Double
    /// The time of the answer.
    let since: Date

    var end: Date { since + seconds }
  }

  /// The wait after a 429 that names none.
  private static let standard = Duration.seconds(30)
  static let unknownRest = Duration.seconds(15 * 60)
  /// The maximum number of hosts.
  private static let limit = 100

  private let waits: StoredValue<[String: Wait]>
  private let now: @Sendable () -> Date

  /// Reads the waits in a directory, by default `$XDG_STATE_HOME/panda`.
  package init(
    in directory: StorageDirectory = .state(appendingPath: "panda"),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    waits = StoredValue(wrappedValue: [:], key: "hostWaits", directory: directory)
    self.now = now
  }

  /// Returns how long a host must not be asked; nil if it may be asked.
  func rest(of host: String) -> Duration? {
    guard let wait = waits.wrappedValue[host] else { return nil }
    let (moment, longest) = (now(), RetryAfter.range.upperBound)
    let full = min(.seconds(wait.seconds), longest)
    guard wait.since <= moment else {
      let rest = min(full, Self.unknownRest)
      note(rest, of: host)
      return rest
    }
    let rest = full - .seconds(moment.timeIntervalSince(wait.since))
    return rest > .zero ? rest : nil
  }

  /// Records the wait that an answer asks for, if it does, and returns when it is kept: a command
  /// may end at once, and the next one begin.
  func note(_ error: HTTPError) async {
    guard case .status(let status, let wait) = error.kind, ![401, 403].contains(status),
      let wait = wait ?? (status == 429 ? Self.standard : nil)
    else { return }
    note(wait, of: error.host)
    try? await waits.flush()  // then it holds for this process
  }

  private func note(_ wait: Duration, of host: String) {
    let moment = now()
    waits.update { waits in
      waits = waits.filter { $0.value.end > moment }
      // The one that is over first is the least to forget.
      if waits.count >= Self.limit, let first = waits.min(by: { $0.value.end < $1.value.end }) {
        waits[first.key] = nil
      }
      waits[host] = Wait(seconds: wait / .seconds(1), since: moment)
    }
  }
}
