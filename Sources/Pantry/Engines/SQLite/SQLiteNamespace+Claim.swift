internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// The recorded use of a namespace: see ``NamespaceRecord``.
extension SQLiteNamespace {
  /// Returns the recorded definition of the namespace `id`; nil if there is none.
  ///
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if it is damaged: nothing is guessed.
  static func definition(of id: Int64, in database: Database) throws -> String? {
    let select = try database.statement("SELECT name, record FROM namespace WHERE id = ?1")
    defer { select.reset() }
    try select.bind(.integer(id))
    guard try select.step(), !select.isNull(1) else { return nil }
    guard let definition = NamespaceRecord.definition(in: select.data(1)) else {
      throw database.damage(NamespaceRecord.damage(of: select.text(0)))
    }
    return definition
  }

  /// Records the definition of `claim`, unless another one than `known` is recorded.
  static func record(
    _ claim: RowType, replacing known: String?, of id: Int64, in database: Database
  ) throws -> String? {
    try database.write {
      try SQLiteSchema.requireNoNewer(in: database)
      let found = try definition(of: id, in: database)
      guard found == known else { return found }
      try database.statement("UPDATE namespace SET record = ?2, type = ?3 WHERE id = ?1")
        .run(
          .integer(id), .text(NamespaceRecord.text(of: claim.definition)),
          .text(claim.type?.shown ?? ""))
      return claim.definition
    }
  }

  /// Throws if rows of version 0.2.0 may be another type's.
  ///
  /// It recorded the type that was opened last, and kept rows of all types in `default`. Elsewhere
  /// the last type has all rows, and those that it cannot read are issues.
  ///
  /// - Complexity: O(n) in the number of rows, until a store has recorded its definition.
  func requireOwnRows(_ claim: RowType, of id: Int64, in database: Database) throws {
    let former = try database.statement("SELECT type FROM namespace WHERE id = ?1")
    defer { former.reset() }
    try former.bind(.integer(id))
    let last = try former.step() ? former.text(0) : ""
    let isOwn = claim.names(last)
    // Objects may be of several types, under keys of the caller's choice.
    guard !last.isEmpty, claim.kind != .objects,
      !isOwn || name == Name(SQLiteStorageEngine.defaultNamespace),
      let key = try foreignKey(claim, id, in: database)
    else { return }
    let asks = claim.type?.shown ?? RowType.values
    throw isOwn
      ? StorageError.otherRow(namespace: name.text, key: key, asks: asks)
      : StorageError.otherType(namespace: name.text, wrote: last, asks: asks)
  }

  /// The key of the first row that cannot be read as the type's.
  private func foreignKey(
    _ claim: RowType, _ id: Int64, in database: Database
  ) throws -> String? {
    let numbers = SQLiteSchema.rowNumbers(of: id)
    let rows = try database.statement(
      "SELECT key, data FROM item WHERE id > ?1 AND id < ?2 ORDER BY id")
    defer { rows.reset() }
    try rows.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    while try rows.step() {
      if !claim.canRead(CacheKey(verbatim: rows.text(0)), rows.data(1)) { return rows.text(0) }
    }
    return nil
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
    guard other != module, !formerNames.contains(where: { $0.text.hasPrefix("\(other).") }),
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
