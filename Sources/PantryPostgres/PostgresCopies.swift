public import FoundationEssentials
public import Pantry

/// Copies of what a server has, kept on this machine, so that showing it again needs no network.
///
/// The program that passes them to a ``PostgresStorageEngine`` decides where they are stored and
/// how many are kept. They may vanish at any time. An engine checks the digest of what it reads.
public protocol PostgresCopies: Sendable {
  /// Returns the bytes with this digest; nil if there is no copy.
  func attachment(_ digest: ContentDigest) async -> Data?
  /// Keeps bytes that were read from the server.
  func keep(_ attachment: Data, as digest: ContentDigest) async
  /// Returns the newest rows of a namespace as they were kept last; nil if there are none.
  func newestRows(of namespace: String) async -> PostgresNewestRows?
  /// Keeps the newest rows of a namespace in place of earlier ones.
  func keep(_ rows: PostgresNewestRows, of namespace: String) async
}

/// The newest rows of a namespace, as they were on the server at one moment.
public struct PostgresNewestRows: Codable, Sendable {
  private struct Row: Codable {
    let key: String
    let data: Data
    let position: Int
  }

  private let stored: [Row]
  /// The number of all rows at that moment.
  public let count: Int

  /// The rows, the last inserted one at the end.
  public var rows: [StorageRow] {
    stored.map {
      StorageRow(
        key: CacheKey(verbatim: $0.key), data: $0.data, position: $0.position)
    }
  }

  init(rows: [StorageRow], count: Int) {
    stored = rows.map { Row(key: $0.key.rawValue, data: $0.data, position: $0.position) }
    self.count = count
  }
}
