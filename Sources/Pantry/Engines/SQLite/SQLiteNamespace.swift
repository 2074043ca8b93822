/// The name of an engine's key space in the file, and its former names.
struct SQLiteNamespace: Hashable, Sendable {
  let name: Name
  /// Former names; the rows of the first one that has any move to `name`.
  private(set) var formerNames: [Name] = []
  /// The name in version 0.1.0 for the namespace of a type.
  private(set) var bareName: Name?
  /// The type that the namespace is named after.
  private(set) var type: TypeName?

  /// The calling module, if the file is in a default directory.
  private(set) var module: String?

  init(_ name: String, formerNames: [String] = [], module: String? = nil) {
    self.name = Name(name)
    self.formerNames = formerNames.map(Name.init)
    self.module = module
  }

  /// Creates a namespace with the default name: that of the type, with its module.
  init<Item>(for type: Item.Type, formerNames: [String], module: String? = nil) {
    let typeName = TypeName(type)
    name = Name(typeName.full)
    self.formerNames = formerNames.map(Name.init)
    bareName = Name(typeName.bare)
    self.type = typeName
    self.module = module
  }

  /// Throws if it is named after a type without a stable name.
  func requireName() throws(StorageError) {
    if let type, !type.isStable { throw .namespaceNeeded(type: type.bare) }
  }

  /// Returns the number of the namespace in `database`: existing, adopted from a former one, or
  /// new.
  ///
  /// - Parameter moved: called if rows of another namespace were adopted.
  func id(in database: Database, moved: () -> Void) throws -> Int64 {
    if let id = try existing(in: database), try !mayAdopt(for: id, in: database) { return id }
    return try database.write {
      let own = try existing(in: database)
      if let former = try former(in: database) {
        guard let own else { return try rename(former, in: database) }
        // A process with the empty namespace open keeps using its number.
        if try !Self.hasRows(own, in: database) {
          try move(former, to: own, in: database)
          moved()
        }
        return own
      }
      return try own ?? create(in: database)
    }
  }

  /// The number of an absent namespace, for a read-only connection.
  static let absent: Int64 = -1

  /// Returns the number of the namespace to read: its own, an adoptable former one's, or
  /// ``absent``.
  func idForReading(in database: Database) throws -> Int64 {
    let own = try existing(in: database)
    if let own, try !mayAdopt(for: own, in: database) { return own }
    return try former(in: database) ?? own ?? Self.absent
  }

  // MARK: Adopting

  /// Whether rows under a former name may belong to this namespace.
  private func mayAdopt(for id: Int64, in database: Database) throws -> Bool {
    guard !formerNames.isEmpty || bareName != nil else { return false }
    return try !Self.hasRows(id, in: database) && former(in: database) != nil
  }

  private func former(in database: Database) throws -> Int64? {
    for name in formerNames where name != self.name {
      guard let id = try Self.id(of: name, in: database) else { continue }
      if try Self.hasRows(id, in: database) { return id }
    }
    guard let bareName, bareName != name else { return nil }
    // Every version but 0.1.0 records the type, so a name chosen since then is left alone.
    let select = try database.statement("SELECT id FROM namespace WHERE name = ?1 AND type IS NULL")
    defer { select.reset() }
    try select.bind(.text(bareName.text))
    return try select.step() ? select.integer(0) : nil
  }

  func existing(in database: Database) throws -> Int64? {
    try Self.id(of: name, in: database)
  }

  private func create(in database: Database) throws -> Int64 {
    try database.statement("INSERT INTO namespace (name, type) VALUES (?1, '')").run(
      .text(name.text))
    return database.lastInsertedRow
  }

  private func rename(_ id: Int64, in database: Database) throws -> Int64 {
    // The next store records its own.
    try database.statement(
      "UPDATE namespace SET name = ?2, type = ?3, record = NULL WHERE id = ?1"
    ).run(.integer(id), .text(name.text), .text(type?.full ?? ""))
    return id
  }

  /// Moves the rows of another namespace to `own`, which has none.
  private func move(_ former: Int64, to own: Int64, in database: Database) throws {
    let numbers = SQLiteSchema.rowNumbers(of: former)
    // After all numbers that rows of `own` have had.
    let last = try database.statement("SELECT max(id << 40, lastItem) FROM namespace WHERE id = ?1")
    try last.bind(.integer(own))
    let distance = try last.step() ? last.integer(0) - numbers.lowerBound : 0
    last.reset()
    try database.statement(
      """
      UPDATE namespace SET lastItem = max(lastItem, (
        SELECT coalesce(max(id), 0) FROM item WHERE id > ?1 AND id < ?2))
      WHERE id = ?3
      """
    ).run(.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(former))
    try database.statement(
      "UPDATE item_attachment SET item = item + ?3 WHERE item > ?1 AND item < ?2"
    ).run(.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(distance))
    try database.statement(
      "UPDATE OR FAIL item SET id = id + ?3, namespace = ?4 WHERE id > ?1 AND id < ?2"
    ).run(
      .integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(distance),
      .integer(own))
    // The followers of both namespaces read everything again.
    try database.statement("INSERT INTO change (namespace, key) VALUES (?1, NULL), (?2, NULL)")
      .run(.integer(former), .integer(own))
    _ = try rename(own, in: database)
  }

  static func hasRows(_ id: Int64, in database: Database) throws -> Bool {
    let numbers = SQLiteSchema.rowNumbers(of: id)
    let select = try database.statement("SELECT 1 FROM item WHERE id > ?1 AND id < ?2 LIMIT 1")
    defer { select.reset() }
    try select.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    return try select.step()
  }

  private static func id(of name: Name, in database: Database) throws -> Int64? {
    // In one statement, of one moment. The table is small; without its row in the index, a second
    // namespace would be created.
    let select = try database.statement(
      """
      SELECT (SELECT id FROM namespace NOT INDEXED WHERE name = ?1),
        (SELECT id FROM namespace INDEXED BY sqlite_autoindex_namespace_1 WHERE name = ?1)
      """)
    defer { select.reset() }
    try select.bind(.text(name.text))
    guard try select.step(), select.isNull(0) == select.isNull(1),
      select.integer(0) == select.integer(1)
    else { throw database.damage("its index of namespaces does not match the table") }
    return select.isNull(0) ? nil : select.integer(0)
  }
}
