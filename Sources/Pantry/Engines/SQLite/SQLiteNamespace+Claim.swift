internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// The recorded use of a namespace.
///
/// `namespace.definition` has it, since ``SQLiteSchema/additions``. `namespace.type` has what
/// version 0.2.0 opened last, which may have been any type: it refuses nobody.
extension SQLiteNamespace {
  /// Returns the recorded definition of the namespace `id`; nil if there is none.
  ///
  /// One that differs in a single bit from that of `claim`, whose type is recorded beside it, is a
  /// damaged one of its own: it counts as none, and is recorded again.
  static func definition(
    of id: Int64, for claim: StorageClaim, in database: Database
  ) throws -> String? {
    guard try SQLiteSchema.isComplete(database) else { return nil }
    let select = try database.statement("SELECT definition, type FROM namespace WHERE id = ?1")
    defer { select.reset() }
    try select.bind(.integer(id))
    guard try select.step(), !select.isNull(0) else { return nil }
    let text = select.data(0)
    let isDamaged =
      !select.isNull(1) && claim.names(select.text(1))
      && text.isOneBitOff(Data(claim.definition.utf8))
    return isDamaged || text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  /// Records the definition of `claim`, unless another one than `known` is recorded.
  ///
  /// Rows that version 0.2.0 last kept for another type stay without a record, even if this type
  /// can read all of them: their owner may come later.
  static func record(
    _ claim: StorageClaim, replacing known: String?, of id: Int64, in database: Database
  ) throws -> String? {
    try database.write {
      try SQLiteSchema.requireNoNewer(in: database)
      try SQLiteSchema.complete(database)
      let found = try definition(of: id, for: claim, in: database)
      guard found == known else { return found }
      if known == nil, let last = try lastType(of: id, in: database), !claim.names(last),
        try hasRows(id, in: database)
      {
        return nil
      }
      // The type too, for a 0.2.0 that runs beside.
      try database.statement("UPDATE namespace SET definition = ?2, type = ?3 WHERE id = ?1")
        .run(.integer(id), .text(claim.definition), .text(claim.type?.shown ?? ""))
      return claim.definition
    }
  }

  /// Returns the namespace of an engine that was given none.
  ///
  /// That is `default` for the first type of a file, as for all types in version 0.2.0, and then
  /// that of the first store's type. Rows that 0.2.0 has left there stay in use by a type that can
  /// read one of them, until they are recorded as another's.
  ///
  /// - Throws: ``StorageError/leftBehind(namespace:type:)`` if 0.2.0 has used `default` for the
  ///   type after it had got its own namespace: neither is the whole.
  static func chosen(for claim: StorageClaim, in database: Database) throws -> SQLiteNamespace {
    let common = SQLiteNamespace(SQLiteStorageEngine.defaultNamespace)
    guard let type = claim.type, type.isStable else { return common }
    guard let id = try common.existing(in: database) else { return common }
    let own = SQLiteNamespace(type.full, formerNames: claim.formerNames)
    let recorded = try definition(of: id, for: claim, in: database)
    if let recorded, claim.agrees(with: recorded) { return common }
    let holdsRows = try common.holdsRows(of: claim, id, in: database)
    let hasOwn = try hasRows(own.idForReading(in: database), in: database)
    if recorded == nil, !hasOwn {
      return try holdsRows || !hasRows(id, in: database) ? common : own
    }
    // Another's rows may be readable too, but 0.2.0 has used them as this type.
    let isLast = try lastType(of: id, in: database).map { claim.names($0) } ?? false
    if holdsRows, recorded == nil || isLast {
      throw StorageError.leftBehind(namespace: common.name, type: type.full)
    }
    return own
  }

  /// The type that version 0.2.0 has opened the namespace with last, or that is recorded; nil if
  /// there is none.
  private static func lastType(of id: Int64, in database: Database) throws -> String? {
    let select = try database.statement("SELECT type FROM namespace WHERE id = ?1")
    defer { select.reset() }
    try select.bind(.integer(id))
    let text = try select.step() ? select.text(0) : ""
    return text.isEmpty ? nil : text
  }

  /// Whether some row can be read as the type's.
  private func holdsRows(of claim: StorageClaim, _ id: Int64, in database: Database) throws -> Bool
  {
    let numbers = Self.numbers(of: id)
    let rows = try database.statement(
      "SELECT key, data FROM item WHERE id > ?1 AND id < ?2 ORDER BY id")
    defer { rows.reset() }
    try rows.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    while try rows.step() {
      if claim.canRead(CacheKey(verbatim: rows.text(0)), rows.data(1)) { return true }
    }
    return false
  }

  /// Throws if the file is in a default directory that belongs to another program.
  ///
  /// Version 0.2.0 made the directory a link to the one that is named after the process. Another
  /// program's has its name, and namespaces named after types of that module; if this module has
  /// rows there too, they stay reachable.
  func requireOwnDirectory(of database: Database) throws {
    guard let module else { return }
    let path = database.path.lastIndex(of: "/").map { String(database.path[..<$0]) } ?? "."
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    let other = String(String(cString: resolved).split(separator: "/").last ?? "")
    guard other != module, !formerNames.contains(where: { $0.hasPrefix("\(other).") }),
      try Self.exists(namedAfter: other, in: database),
      try !Self.exists(namedAfter: module, in: database)
    else { return }
    throw StorageError.directoryOfAnother(path: path, program: other)
  }

  private static func exists(namedAfter module: String, in database: Database) throws -> Bool {
    let select = try database.statement(
      "SELECT 1 FROM namespace WHERE substr(name, 1, length(?1)) = ?1 LIMIT 1")
    defer { select.reset() }
    try select.bind(.text("\(module)."))
    return try select.step()
  }
}

extension Data {
  /// Whether another text has the same length, and differs in a single bit.
  fileprivate func isOneBitOff(_ other: Data) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } == 1
  }
}

/// The namespace of one engine: given, or chosen for its first store.
final class SQLiteNamespaceChoice: Sendable {
  private struct State {
    var naming: SQLiteNamespace?
    var firstType: String?
  }

  private let state: Lock<State>

  init(_ naming: SQLiteNamespace?) { state = Lock(State(naming: naming)) }

  /// The namespace, once it is known.
  var naming: SQLiteNamespace? { state.withLock(\.naming) }

  /// Keeps the namespace that was chosen.
  func choose(_ naming: SQLiteNamespace) { state.withLock { $0.naming = $0.naming ?? naming } }

  /// The name by which stores of this process tell key spaces apart.
  ///
  /// It never changes: until a namespace is chosen, and afterwards, it is the first store's type.
  func place(for type: String?) -> String {
    state.withLock { state in
      if state.firstType == nil, let naming = state.naming { return naming.name }
      guard let name = state.firstType ?? type else { return SQLiteStorageEngine.defaultNamespace }
      state.firstType = name
      return name
    }
  }
}
