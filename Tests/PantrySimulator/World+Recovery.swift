import CSimulatedDisk
import FoundationEssentials
@testable import Pantry

/// Recovery of a damaged file.
///
/// The promises (ConcurrencyAndDurability.md, faults 42 and 83): all items are shown, or the damage
/// is reported. Then `recover` leaves a whole file with each row whose page can be read, as it was;
/// a row of a damaged page is one that was stored once, as in a backup, or it is missing. No row is
/// there that was removed, unless the first page is lost, with the list of free ones. The report
/// counts rows, those of the backup, those that are lost and the pictures without bytes; the
/// damaged file is kept as it is. If recovery is killed, the next one does it. Where the disk has
/// lost pages itself, any row may be one of a damaged page.
extension World {
  /// - Parameter damage: what happens to the file; nil if the disk has damaged it already.
  func recover(from damage: FileDamage?) async throws(Violation) {
    let path = machine.databasePath
    let page = try damage?.strike(path)
    let damaged = FileContent.read(path)
    if let calls = damage?.callsToKill {
      let client = client()
      client.process.context.run { client.begin() }
      _ = try? await client.process.context.run {  // it may report damage
        try await Found(by: client, mayLackPictures: true)
      }
      client.process.fault = PlannedFault(
        kind: .kill(Int32(SIMULATED_KILL_AFTER)), call: nil, file: nil, skipped: calls)
      _ = try? await recover(client)  // it may be killed
      client.kill(by: .killed)
      try await end(client)
    }
    let client = client()
    client.process.context.run { client.begin() }
    let (versions, counts) = try await recover(client, from: damage, damaged, page)
    history.settle(versions, counters: counts)
    try await end(client)
    (isDamaged, hasLostPower) = (false, false)
    // Recovery has flushed it, with the directory.
    machine.noteFlush(of: path)
    try await check([])
  }

  /// Returns what is stored after a recovery, without the items, which keep the file open.
  private func recover(
    _ client: Client, from damage: FileDamage?, _ damaged: [UInt8], _ page: FileDamage.Page?
  ) async throws(Violation) -> (versions: [Scenario.Key: Int], counts: [Int: Int]) {
    do {
      let report = try await look(client, damage, damaged)
      var found = try await client.process.context.run {
        try await Found(by: client, mayLackPictures: true)
      }
      try judge(found, report, page)
      // A row without its bytes can be removed, and lost ones added.
      let lost = found.notesWithoutPictures
      let counters = (0..<Scenario.counterCount).filter { found.counts[$0] == nil }
        .map { Tag(id: "\($0)", version: 0) }
      found.notes.removeAll { lost.contains($0) }
      found.counters += counters
      try await client.process.context.run {
        if let store = client.notes?.store, !lost.isEmpty { try await store.remove(lost) }
        try await client.counters?.store.add(counters)
        if try await client.open?.file?.recover() != nil {
          throw Violation("a recovered file was recovered again")
        }
      }
      return (found.versions, found.counts)
    } catch {
      throw error as? Violation ?? Violation("the damaged file was not recovered: \(error)")
    }
  }

  private func recover(_ client: Client) async throws -> RecoveryReport? {
    for suffix in ["", "-wal"] { FileContent.age(machine.databasePath + suffix) }
    return try await client.process.context.run { try await client.open?.file?.recover() }
  }

  /// Reads the file, and recovers it.
  private func look(
    _ client: Client, _ damage: FileDamage?, _ damaged: [UInt8]
  ) async throws -> RecoveryReport? {
    var isReported = false
    do {
      let found = try await client.process.context.run {
        try await Found(by: client, mayLackPictures: true)
      }
      if damage != nil, damage?.callsToKill == nil, found.versions != history.former {
        throw Violation("of a damaged file \(found.versions) was read, and stored were more")
      }
    } catch let error where SQLiteStorageEngine.reportsDamage(error) {
      isReported = true
      Scheduler.current.trace.note("reported: \(error)")
    }
    let report = try await recover(client)
    guard let report else {
      if isReported { throw Violation("a damaged file was not recovered") }
      return nil
    }
    if damage != nil, FileContent.read(report.originalPath) != damaged {
      throw Violation("the damaged file was not kept as it was")
    }
    return report
  }

  /// - Parameter page: the damaged page; nil if any may be.
  private func judge(
    _ found: Found, _ report: RecoveryReport?, _ page: FileDamage.Page?
  ) throws(Violation) {
    let versions = found.versions
    for key in Scenario.Key.all where versions[key] != history.former[key] || page == nil {
      let (now, former) = (versions[key], history.former[key])
      let isOfDamagedPage = page?.has(key.namespace, key.rowKey) ?? true
      if now == nil
        ? isOfDamagedPage
        : history.mayHaveHad(key, now) && (isOfDamagedPage || page?.isFirst == true)
      {
        continue
      }
      throw Violation(
        "\(key) is \(now.map(String.init) ?? "missing") after a recovery, and was "
          + (former.map(String.init) ?? "not there"))
    }
    for (number, count) in history.settledCounts.sorted(by: { $0.key < $1.key }) {
      let now = found.counts[number] ?? 0
      let name = number < Scenario.counterCount ? ("counters", "\(number)") : ("values", "counted")
      let most = page == nil ? history.mostCounted(number) : count
      guard now == most || now < most && page.map({ $0.isFirst || $0.has(name.0, name.1) }) ?? true
      else { throw Violation("counter \(number) is \(now) after a recovery, and was \(count)") }
    }
    guard let report else { return }
    let rows = try StoredRow.all(in: machine.databasePath)
    for (namespace, count) in Dictionary(grouping: rows, by: \.namespace).mapValues(\.count)
    where (report.counts[namespace]?.recovered ?? 0) != count {
      throw Violation("\(count) rows of \(namespace) were recovered, and reported \(report)")
    }
    let pictures = Set(found.notesWithoutPictures.map { $0.version % 5 })
    guard report.rowCount == rows.count, report.missingAttachments == pictures.count else {
      throw Violation("\(rows.count) rows, without \(pictures.count) pictures, are not \(report)")
    }
    guard let page else { return }
    let counts = report.counts.values
    let missing = page.rows.count { row in
      !rows.contains { $0.namespace == row.namespace && $0.key == row.key }
    }
    let lost = counts.reduce(0) { $0 + $1.lost }
    guard lost == missing || lost > missing && page.isFirst,
      counts.reduce(0, { $0 + $1.fromBackup }) <= page.rows.count || page.isFirst
    else {
      throw Violation("\(missing) rows of \(page.rows.count) are lost, and reported \(report)")
    }
  }
}

extension Scenario.Key {
  /// Its namespace and key in the file.
  var namespace: String { ["notes", "tags", "objects", "values"][space.rawValue] }
  var rowKey: String { self == .value ? "value" : id }
}
