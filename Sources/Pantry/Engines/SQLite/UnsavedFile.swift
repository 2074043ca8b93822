internal import FoundationEssentials
internal import SystemSupport

/// The in-memory state over one database file that cannot be written.
///
/// The engines of this process share it.
final class UnsavedFile: Sendable {
  fileprivate struct Table {
    var rows: MemoryRows
    /// The former data of the changed rows; nil for rows that did not exist.
    var former: [CacheKey: Data?] = [:]
    /// The attachments of the changed rows.
    var attachments: [CacheKey: [ContentDigest]] = [:]
  }

  private struct State {
    var tables: [String: Table] = [:]
    var bytes: [ContentDigest: Data] = [:]
    /// The definitions that could not be recorded in the file.
    var definitions: [String: String] = [:]
  }

  let liveAttachments = LiveAttachments()
  /// The file, opened read-only; nil if there is nothing to read.
  let base: SQLiteStorageEngine?
  private let state = Lock(State())

  init(over base: SQLiteStorageEngine?) {
    self.base = base
  }

  /// Whether there is a file to read.
  var isReadable: Bool { base != nil }

  /// Returns the recorded definition of a namespace.
  func definition(for claim: StorageClaim, _ namespace: String) async throws -> String? {
    let recorded = try await base?.engine(namespace: namespace).definition(for: claim)
    return state.withLock { $0.definitions[namespace] } ?? recorded
  }

  /// Records a definition in memory.
  func record(_ claim: StorageClaim, _ namespace: String) {
    state.withLock { $0.definitions[namespace] = claim.definition }
  }

  /// Reads the rows of a namespace from the file, unless that has been done.
  func load(_ namespace: String) async throws {
    guard state.withLock({ $0.tables[namespace] == nil }) else { return }
    let found = try await base?.engine(namespace: namespace).readAllDataAndKeys() ?? []
    var rows = MemoryRows()
    for row in found { rows.put(row.data, key: row.key, at: nil) }
    // Another caller may have done the same, and its rows may have changed since.
    state.withLock { [rows] in
      if $0.tables[namespace] == nil { $0.tables[namespace] = Table(rows: rows) }
    }
  }

  /// Reads a namespace that has been loaded.
  func read<Result>(_ namespace: String, _ body: (MemoryRows) -> Result) -> Result {
    state.withLock { body($0.tables[namespace]?.rows ?? MemoryRows()) }
  }

  /// Applies the changes of several loaded namespaces at once.
  ///
  /// - Parameter bytes: the attachments that the file does not have.
  func apply(
    _ parts: [(namespace: String, changes: [StorageChange])], bytes: [ContentDigest: Data],
    at time: Date
  ) {
    state.withLock { state in
      state.bytes.merge(bytes) { known, _ in known }
      for part in parts {
        for change in part.changes { state.tables[part.namespace]?.apply(change, at: time) }
      }
    }
    if parts.contains(where: { $0.changes.contains(where: \.mayFreeAttachments) }) { sweep() }
  }

  /// Frees the new attachments that neither a row nor a value refers to.
  func sweep() {
    state.withLock { state in
      let used = Set(state.tables.values.flatMap { $0.attachments.values.joined() })
      state.bytes = state.bytes.filter {
        used.contains($0.key) || liveAttachments.contains($0.key)
      }
    }
  }

  /// Returns an attachment from memory, or reads it from the file.
  func attachmentData(for digest: ContentDigest) async throws -> Data? {
    if let data = state.withLock({ $0.bytes[digest] }) { return data }
    return try await base?.attachmentData(for: digest)
  }

  /// Counts how the rows of a namespace differ from those in the file.
  ///
  /// - Parameter isSame: whether different data means the same: the members of a JSON object have
  ///   no order.
  func changes(in namespace: String, isSame: (Data, Data) -> Bool) -> UnsavedChanges {
    state.withLock { state in
      var changes = UnsavedChanges()
      guard let table = state.tables[namespace] else { return changes }
      for (key, former) in table.former {
        switch (former, table.rows[key]?.data) {
        case (nil, .some): changes.added += 1
        case (.some, nil): changes.removed += 1
        case (let former?, let current?):
          if former != current, !isSame(former, current) { changes.changed += 1 }
        case (nil, nil): break
        }
      }
      return changes
    }
  }

  /// Returns the times of a row: those of its last change, or those in the file.
  func times(
    of key: CacheKey, in namespace: String
  ) async throws -> (created: Date?, updated: Date?)? {
    guard let row = read(namespace, { $0[key] }) else { return nil }
    let file = base?.engine(namespace: namespace)
    let created = if let date = row.createdAt { date } else { try await file?.createdAt(key: key) }
    let updated = if let date = row.updatedAt { date } else { try await file?.updatedAt(key: key) }
    return (created, updated)
  }
}

extension UnsavedFile.Table {
  fileprivate mutating func apply(_ change: StorageChange, at time: Date) {
    switch change {
    case .write(let data, let key, let attachments):
      remember(key)
      rows.put(data, key: key, at: time)
      self.attachments[key] = attachments.isEmpty ? nil : attachments.map(\.digest)
    case .remove(let key):
      remember(key)
      rows.remove(key)
      attachments[key] = nil
    case .removeAll:
      for row in rows.ordered { remember(row.key) }
      rows.removeAll()
      attachments = [:]
    }
  }

  private mutating func remember(_ key: CacheKey) {
    if former[key] == nil { former.updateValue(rows[key]?.data, forKey: key) }
  }
}

extension StorageChange {
  fileprivate var mayFreeAttachments: Bool {
    switch self {
    case .write(_, _, let attachments): attachments.isEmpty
    case .remove, .removeAll: true
    }
  }
}

/// Counts the differences between the rows of an ``UnsavedStorageEngine`` and those in its file.
public struct UnsavedChanges: Hashable, Sendable {
  /// The number of rows that the file does not have.
  public var added = 0
  /// The number of rows that the file has with other data.
  public var changed = 0
  /// The number of rows that only the file has.
  public var removed = 0

  /// Creates an empty count.
  public init() {}

  /// Whether nothing differs.
  public var isEmpty: Bool { self == UnsavedChanges() }
}
