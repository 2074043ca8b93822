internal import FoundationEssentials

/// Copies what can be read of a damaged database into a new one.
///
/// First what SQLite itself can read, up to the first error. Then the rows on all pages, by their
/// shape. Then the rows that only a backup still has. Rows that the file says were removed are left
/// out.
struct SQLiteSalvage {
  let tables: ReadableTables
  let pages: SQLitePages
  /// The backups, the newest first.
  let backups: [String]
  /// The name for a namespace whose own name was lost: the first one that a program creates.
  let firstName: String

  func write(to file: RecoveredFile, _ report: inout RecoveryReport) throws {
    let index = try tables.names()
    let references = try ReferencesByRow(tables)
    var namespaces = try tables.namespaces(expecting: [firstName])
    let numbers = Set(namespaces.keys)
    var namesByNumber: [Int64: RowName] = [:]
    var damaged: [SalvagedRow] = []
    func add(_ row: SalvagedRow) throws {
      if row.isDamaged { return damaged.append(row) }
      try file.add(row, references: references.of(row))
    }
    var isWhole = try tables.rows { row in
      let row = row.inNamespace(of: numbers)
      namesByNumber[row.number] = row.name
      try add(row)
    }
    var living = Set(index.found.keys)
    // A damaged page may hide others without an error.
    isWhole = isWhole && index.isComplete && living.isSubset(of: file.names)
    isWhole = isWhole && !namespaces.isEmpty && file.namespaces.isSubset(of: numbers)

    let scan = isWhole && references.areComplete ? nil : try PageScan(pages)
    var backup: Backup?
    if let scan, !isWhole {
      namespaces.merge(scan.namespaces) { known, _ in known }
      if !index.isComplete { living.formUnion(scan.names) }
      var changes = try tables.changes()
      changes.merge(scan.changes) { max($0, $1) }
      let numbers = Set(namespaces.keys)
      for row in scan.rows.values.sorted(by: { $0.number < $1.number }) {
        let row = row.inNamespace(of: numbers)
        // Without the list of free pages, the rows on them look like the others.
        let isAlive =
          living.contains(row.name)
          || !index.isComplete && (scan.knowsFreePages || changes[row.name] == nil)
        if isAlive { try add(row) }
      }
      backup = try newestBackup()
      // One row with a damaged name, in it or in the index; a backup shows which is right.
      let names = index.found.filter { name, number in
        namesByNumber[number].map { index.found[$0] == nil } ?? false
      }
      for (name, number) in names where !file.names.contains(name) {
        living.remove(name)
        guard let other = namesByNumber[number], let backup else { continue }
        if backup.has(name), !backup.has(other) { try file.rename(other, to: name) }
      }
      try backup?.addMissing(to: file, &namespaces, &report) { [changes, living] name, seen in
        names[name] != nil
          || !living.contains(name)
            && (index.isComplete
              || max(changes[name] ?? 0, changes[.all(of: name.namespace)] ?? 0) > seen)
      }
    }
    // No page and no backup has a better one.
    for row in damaged { try file.add(row, references: references.of(row)) }
    try file.fill(from: tables, references)
    for digest in file.missing.keys {
      if let bytes = try scan?.bytes(of: digest) { try file.fill(digest, bytes) }
    }
    // A backup that the user made has them too.
    if let backup { try file.fill(from: backup.tables, backup.references) }
    name(&namespaces, file)
    try file.name(namespaces)
    count(namespaces, file, lost: living.subtracting(file.names), &report)
    report.missingAttachments = file.missing.count
  }

  private func newestBackup() throws -> Backup? {
    for path in backups {
      if let backup = try Backup(path) { return backup }
    }
    // One that is damaged itself may still have rows.
    for path in backups {
      if let backup = try Backup(path, mayBeDamaged: true) { return backup }
    }
    return nil
  }

  /// Names the namespaces whose names were lost.
  private func name(_ namespaces: inout [Int64: SalvagedNamespace], _ file: RecoveredFile) {
    var names: Set<Name> = []
    // A damaged page may show a name twice: it is that of the number which rows have.
    let withRows = file.namespaces
    for number in namespaces.keys.sorted(by: {
      withRows.contains($0) != withRows.contains($1) ? withRows.contains($0) : $0 < $1
    }) {
      if !names.insert(Name(namespaces[number]?.name ?? "")).inserted { namespaces[number] = nil }
    }
    for number in file.namespaces.sorted() where namespaces[number] == nil {
      let name = names.contains(Name(firstName)) ? "recovered-\(number)" : firstName
      names.insert(Name(name))
      namespaces[number] = SalvagedNamespace(name: name)
    }
  }

  private func count(
    _ namespaces: [Int64: SalvagedNamespace], _ file: RecoveredFile, lost: Set<RowName>,
    _ report: inout RecoveryReport
  ) {
    for row in file.names {
      if let name = namespaces[row.namespace]?.name {
        report.counts[name, default: .init()].recovered += 1
      }
    }
    for row in lost {
      let name = namespaces[row.namespace]?.name ?? "recovered-\(row.namespace)"
      report.counts[name, default: .init()].lost += 1
    }
  }
}

private struct Backup {
  let path: String
  let tables: ReadableTables
  let references: ReferencesByRow
  private let rows: [SalvagedRow]
  private let namespaces: [Int64: SalvagedNamespace]
  /// The number of its last change.
  private let lastChange: Int64

  /// Reads the backup at `path`; nil if it is damaged, or of another program.
  init?(_ path: String, mayBeDamaged: Bool = false) throws {
    do {
      let database = try Database(path: path, access: .readingImmutable)
      try SQLiteSchema.refuseOthers(database)
      if !mayBeDamaged, try database.firstProblem() != nil { return nil }
      let tables = ReadableTables(database)
      var rows: [SalvagedRow] = []
      guard try tables.rows({ rows.append($0) }) else { return nil }
      self.path = path
      self.tables = tables
      self.rows = rows
      namespaces = try tables.namespaces(expecting: [])
      references = try ReferencesByRow(tables)
      lastChange = try tables.changes().values.max() ?? 0
    } catch is SQLiteError {
      return nil
    } catch is StorageError {
      return nil
    }
  }

  func has(_ name: RowName) -> Bool { rows.contains { $0.name == name } }

  /// Adds the rows that only the backup has.
  ///
  /// - Parameter isRemoved: whether a row was removed since the change with a number.
  func addMissing(
    to file: RecoveredFile, _ namespaces: inout [Int64: SalvagedNamespace],
    _ report: inout RecoveryReport, unless isRemoved: (RowName, Int64) -> Bool
  ) throws {
    // A namespace has the same number in both, unless its name was lost.
    for (number, namespace) in self.namespaces where namespaces[number] == nil {
      if !namespaces.values.contains(where: { Name($0.name) == Name(namespace.name) }) {
        namespaces[number] = namespace
      }
    }
    var numbers: [Name: Int64] = [:]
    for (number, namespace) in namespaces { numbers[Name(namespace.name)] = number }
    for var row in rows {
      guard let name = self.namespaces[row.namespace]?.name, let number = numbers[Name(name)] else {
        continue
      }
      let references = references.of(row)
      row.namespace = number
      guard !file.names.contains(row.name), !isRemoved(row.name, lastChange) else { continue }
      try file.add(row, references: references)
      report.counts[name, default: .init()].fromBackup += 1
      report.backupPath = path
    }
  }
}

struct ReferencesByRow {
  /// The attachments by their numbers.
  let attachments: [Int64: SalvagedReference]
  private let byRow: [Int64: Set<Int64>]?

  init(_ tables: ReadableTables) throws {
    attachments = try tables.digests()
    byRow = try tables.references()
  }

  /// Whether the attachments of all rows are known.
  var areComplete: Bool {
    byRow?.values.allSatisfy { $0.allSatisfy { attachments[$0] != nil } } ?? false
  }

  /// Returns the references of a row; those in its text if the others are damaged.
  func of(_ row: SalvagedRow) -> Set<SalvagedReference> {
    let numbers = byRow?[row.number] ?? []
    let known = Set(numbers.compactMap { attachments[$0] })
    if byRow != nil, known.count == numbers.count { return known }
    return known.union(SalvagedReference.all(in: row.data))
  }
}

extension RecoveredFile {
  /// Copies the bytes that are missing from another file.
  fileprivate func fill(from tables: ReadableTables, _ references: ReferencesByRow) throws {
    for (number, reference) in references.attachments.sorted(by: { $0.key < $1.key })
    where missing[reference.digest] != nil {
      if let bytes = try tables.bytes(ofAttachment: number, reference.digest) {
        try fill(reference.digest, bytes)
      }
    }
  }
}

extension SalvagedRow {
  /// Returns the row in the namespace of its number, if the one in it is unknown.
  fileprivate func inNamespace(of known: Set<Int64>) -> SalvagedRow {
    guard !known.contains(namespace), known.contains(number >> 40) else { return self }
    var row = self
    row.namespace = number >> 40
    return row
  }
}
