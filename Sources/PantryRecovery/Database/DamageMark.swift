internal import Glibc
internal import SystemSupport

/// A small file beside a database that records that damage was found.
///
/// It is left by what runs into damage and does not recover: a backup, an attachment, the sweep.
/// The next process that opens the file checks all of it.
package struct DamageMark: Sendable {
  private let path: String
  /// The database.
  private let file: String

  package init(of file: String) {
    self.file = file
    path = file + ".damaged"
  }

  /// Leaves the mark, unless it is there.
  ///
  /// There is none where nothing can be written: the damage is found again.
  package func leave() {
    let descriptor = Descriptors.create(path, O_WRONLY)
    if descriptor >= 0 { close(descriptor) }
  }

  func remove() { unlink(path) }

  /// Checks the whole file if there is a mark, which is removed if SQLite finds no damage.
  ///
  /// - Returns: ``StorageError/damagedFile(path:reason:)``, or nil.
  /// - Complexity: O(n) in the size of the file, once; without a mark O(1).
  func verdict(in database: Database) throws -> StorageError? {
    guard !FileIdentity.isAbsent(path) else { return nil }
    if let reason = confirmed { return .damagedFile(path: file, reason: reason) }
    if let problem = try database.firstProblem() {
      confirm(problem)
      return .damagedFile(path: file, reason: problem)
    }
    if !database.isReadOnly { remove() }
    return nil
  }

  // MARK: The outcome of a check

  /// The finding of an earlier check, if the file has not changed since then.
  private var confirmed: String? {
    let descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
    let lines = String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n", maxSplits: 1)
    return lines.count == 2 && lines[0] == stamp ? String(lines[1]) : nil
  }

  /// Records what a check has found, so that it is not repeated at each attempt to open the file.
  private func confirm(_ problem: String) {
    let descriptor = Descriptors.open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    let bytes = Array("\(stamp)\n\(problem)".utf8.prefix(1_000))
    // A part of it, as on a full disk, says nothing: then the check is repeated.
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  /// The file, its size and the time of its last change.
  private var stamp: String {
    var status = stat()
    guard stat(file, &status) == 0 else { return "none" }
    return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }
}

extension Database {
  /// Leaves the mark of damage, and returns the error to throw.
  package func damage(_ reason: String) -> StorageError {
    metDamage?()
    return .damagedFile(path: path, reason: reason)
  }

  /// Returns the first problem of the whole file; nil if there is none.
  ///
  /// - Parameter quickly: whether to leave out the comparison of tables with their indexes.
  package func firstProblem(quickly: Bool = false) throws(SQLiteError) -> String? {
    if let problem = try integrityProblem(quickly: quickly) { return problem }
    return try damagedRecord()
  }

  /// Returns the problem of a record of a namespace's type; nil if all are whole.
  private func damagedRecord() throws(SQLiteError) -> String? {
    do {
      let records = try statement("SELECT name, record FROM namespace WHERE record IS NOT NULL")
      defer { records.reset() }
      while try records.step() {
        if NamespaceRecord.definition(in: records.data(1)) == nil {
          return NamespaceRecord.damage(of: records.text(0))
        }
      }
      return nil
    } catch  where error.extendedCode == 1 {
      // SQLITE_ERROR: a file of version 0.2.0 has none.
      return nil
    }
  }
}
