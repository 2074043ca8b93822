package import FoundationEssentials
package import Pantry
internal import SystemSupport

/// Decides for all commands when a source or a host may be asked, and says why not before.
///
/// A source has a gate by its name, a host by its own. What a host has asked for, and a source's
/// lists of the last hour, are kept for later launches, with dates of the wall clock. If that was
/// set back, the rest of a wait is unknown: it is 15 minutes at most. Within a process, waits are
/// measured by a clock that is never set.
package final class RequestGates: Sendable {
  /// What later launches know.
  struct Record: Codable, Equatable, Sendable {
    /// The wait that it asked for, and the time of the answer.
    var seconds = 0.0
    var since = Date.distantPast
    /// The times at which lists were requested.
    var lists: [Date]?
    /// When the requests of the last minute are paid off, if there is a limit for all commands.
    var paidOff: Date?

    var end: Date {
      max(since + seconds, (lists?.last).map { $0 + 3600 } ?? .distantPast, paidOff ?? .distantPast)
    }
  }

  private static let unknownRest = Duration.seconds(15 * 60)
  /// The maximum number of records.
  private static let limit = 100

  private struct Entry {
    var gate: RequestGate
    /// The record of which the gate knows.
    var record: Record?
  }

  private let records: StoredValue<[String: Record]>?
  private let timer: MonotonicTimer
  private let now: @Sendable () -> Date
  private let entries = Lock<[String: Entry]>([:])

  /// Creates the gates.
  ///
  /// - Parameter directory: keeps them for later launches, such as `$XDG_STATE_HOME/panda`; nil
  ///   keeps nothing.
  package init(
    in directory: StorageDirectory? = nil,
    timer: MonotonicTimer = MonotonicTimer(ContinuousClock()),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    records = directory.map { StoredValue(wrappedValue: [:], key: "hostWaits", directory: $0) }
    self.timer = timer
    self.now = now
  }

  /// Returns why a source must not be asked now, or its host, and how long; nil if it may be.
  package func rest(of source: String, at host: String?) -> RequestGate.Rest? {
    [source, host].compactMap(\.self).compactMap { open($0) { $0.rest(at: $1) } }
      .max { $0.wait < $1.wait }
  }

  /// Records the wait that an answer asks for, if it does, and returns when it is kept: a command
  /// may end at once, and the next one begin.
  func obey(_ error: HTTPError) async {
    guard case .status(let status, let wait) = error.kind, ![401, 403].contains(status),
      let wait = wait ?? (status == 429 ? RequestGate.firstWait : nil)
    else { return }
    open(error.host, keeping: true) { $0.obey(wait, at: $1) }
    try? await records?.flush()  // then it holds for this process
  }

  /// Calls `body` with a gate and the moment.
  ///
  /// - Parameter keeping: whether what `body` makes of it is for later launches, too.
  @discardableResult
  func open<Result>(
    _ name: String, keeping: Bool = false, _ body: (inout RequestGate, Duration) -> Result
  ) -> Result {
    let (moment, record) = (timer.now(), records?.wrappedValue[name])
    defer { if keeping { keep(name) } }
    return entries.withLock { entries in
      var entry = entries[name] ?? Entry(gate: RequestGate())
      // Another client or process of this user has changed it.
      if let record, record != entry.record {
        entry.record = record
        entry.gate.learn(
          requestedUntil: end(record, at: moment), paidOff: paidOff(record, at: moment),
          lists: lists(record, at: moment))
      }
      defer { entries[name] = entry }
      return body(&entry.gate, moment)
    }
  }

  // MARK: Records

  private func keep(_ name: String) {
    guard let records else { return }
    let (moment, date) = (timer.now(), now())
    let record = entries.withLock { entries in
      let gate = entries[name]?.gate ?? RequestGate()
      let record = Record(
        seconds: (gate.requestedRest(at: moment) ?? .zero) / .seconds(1), since: date,
        lists: gate.lists.isEmpty ? nil : gate.lists.map { date - (moment - $0) / .seconds(1) },
        paidOff: gate.paidOff > moment ? date + (gate.paidOff - moment) / .seconds(1) : nil)
      entries[name]?.record = record
      return record
    }
    if records.loadIssue != nil { records.reset() }  // it keeps the damaged file
    records.update { records in
      records = records.filter { $0.value.end > date }
      // The one that is over first is the least to forget.
      if records.count >= Self.limit, let first = records.min(by: { $0.value.end < $1.value.end }) {
        records[first.key] = nil
      }
      records[name] = record
    }
  }

  private func end(_ record: Record, at moment: Duration) -> Duration {
    let (date, longest) = (now(), RetryAfter.range.upperBound)
    let full = min(.seconds(record.seconds), longest)
    return record.since > date
      ? moment + min(full, Self.unknownRest)
      : moment + full - .seconds(date.timeIntervalSince(record.since))
  }

  /// At most the minute after the clock was set back.
  private func paidOff(_ record: Record, at moment: Duration) -> Duration? {
    record.paidOff.map { moment + min(.seconds($0.timeIntervalSince(now())), .seconds(60)) }
  }

  private func lists(_ record: Record, at moment: Duration) -> [Duration] {
    let date = now()
    return (record.lists ?? []).map { list in
      list > date
        ? moment - .seconds(3600) + Self.unknownRest
        : moment - .seconds(date.timeIntervalSince(list))
    }
  }
}
