internal import FoundationEssentials

/// A follower's progress in a namespace: the snapshot last read, and its own commits.
///
/// A number alone would lose rows: a transaction with a smaller one may commit later. A snapshot
/// tells which transactions had ended.
struct PostgresCursor: Sendable {
  /// The connection that read it.
  ///
  /// A server that was killed may give the number of a transaction that left nothing on its disk to
  /// another one, and a promoted standby may have a history of its own. Both end the connection, so
  /// a follower reads everything on the next one.
  let connection: Int
  /// The incarnation of the tables, since a pooler hides the loss of a connection; nil if it had no
  /// name.
  let incarnation: Data?
  let namespace: Int64
  var snapshot: PostgresSnapshot
  /// The transactions of the follower that the snapshot does not contain.
  var own: [UInt64] = []
}

/// The transactions that had ended at a moment (`pg_snapshot`).
struct PostgresSnapshot: Hashable, Sendable {
  /// All before this one had ended.
  let first: UInt64
  /// None from this one on had ended.
  let end: UInt64
  /// Those between the two that had not ended.
  var running: [UInt64]

  /// Decodes the binary format (`pg_snapshot_send`).
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 20, (bytes.count - 20) % 8 == 0 else { return nil }
    func number(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 + index * 8, as: UInt64.self))
    }
    first = number(0)
    end = number(1)
    running = (0..<(bytes.count - 20) / 8).map { number(2 + $0) }
  }

  /// The snapshot of a standby, which does not tell those between: none of them had ended.
  var ofStandby: PostgresSnapshot { PostgresSnapshot(first: first, end: first, running: []) }

  private init(first: UInt64, end: UInt64, running: [UInt64]) {
    self.first = first
    self.end = end
    self.running = running
  }

  /// Returns whether a transaction had ended.
  func contains(_ transaction: UInt64) -> Bool {
    transaction < first || transaction < end && !running.contains(transaction)
  }
}
