internal import FoundationEssentials
internal import Glibc
internal import Locking

/// The recorded use of a namespace.
///
/// `namespace.definition` has it, since ``SQLiteSchema/additions``. It alone counts:
/// `namespace.type` has what version 0.2.0 opened last, which may have been any type.
extension SQLiteNamespace {
  /// Returns the recorded definition of the namespace `id`; nil if there is none.
  static func definition(of id: Int64, in database: Database) throws -> String? {
    guard try SQLiteSchema.isComplete(database) else { return nil }
    let select = try database.statement("SELECT definition FROM namespace WHERE id = ?1")
    defer { select.reset() }
    try select.bind(.integer(id))
    let text = try select.step() ? select.text(0) : ""
    return text.isEmpty ? nil : text
  }

  /// Records the definition of `claim`, unless another one than `known` is recorded.
  static func record(
    _ claim: StorageClaim, replacing known: String?, of id: Int64, in database: Database
  ) throws -> String? {
    try database.write {
      try SQLiteSchema.requireNoNewer(in: database)
      try SQLiteSchema.complete(database)
      let found = try definition(of: id, in: database)
      guard found == known else { return found }
      // The type too, for a 0.2.0 that runs beside.
      try database.statement("UPDATE namespace SET definition = ?2, type = ?3 WHERE id = ?1")
        .run(.integer(id), .text(claim.definition), .text(claim.type?.shown ?? ""))
      return claim.definition
    }
  }

  /// Returns the namespace of an engine that was given none: that of its first store's type.
  ///
  /// Version 0.2.0 kept the rows of all such engines in `default`. It stays in use by a type that
  /// can read a row of it, until it is recorded as another's; and by what has no name of its own.
  static func chosen(for claim: StorageClaim, in database: Database) throws -> SQLiteNamespace {
    let common = SQLiteNamespace(SQLiteStorageEngine.defaultNamespace)
    guard let type = claim.type, type.isStable else { return common }
    let own = SQLiteNamespace(type.full, formerNames: claim.formerNames)
    guard let id = try common.existing(in: database) else { return own }
    if let recorded = try definition(of: id, in: database) {
      return claim.agrees(with: recorded) ? common : own
    }
    guard try !own.hasRows(own.idForReading(in: database), in: database) else { return own }
    return try common.holdsRows(of: claim, id, in: database) ? common : own
  }

  /// Whether some row can be read as the type's, or none and the type used the namespace last.
  private func holdsRows(of claim: StorageClaim, _ id: Int64, in database: Database) throws -> Bool
  {
    let numbers = Self.numbers(of: id)
    let rows = try database.statement(
      "SELECT key, data FROM item WHERE id > ?1 AND id < ?2 ORDER BY id")
    defer { rows.reset() }
    try rows.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    var isEmpty = true
    while try rows.step() {
      if claim.canRead(CacheKey(verbatim: rows.text(0)), rows.data(1)) { return true }
      isEmpty = false
    }
    guard !isEmpty else { return false }
    let last = try database.statement("SELECT type FROM namespace WHERE id = ?1")
    defer { last.reset() }
    try last.bind(.integer(id))
    return try last.step() && claim.names(last.text(0))
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

  /// The name by which stores of this process know the key space.
  ///
  /// It never changes: until a namespace is chosen, and afterwards, it is the first store's type.
  func name(for type: String?) -> String {
    state.withLock { state in
      if state.firstType == nil, let naming = state.naming { return naming.name }
      guard let name = state.firstType ?? type else { return SQLiteStorageEngine.defaultNamespace }
      state.firstType = name
      return name
    }
  }
}
