internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// Replaces a damaged file by a recovered one, so that no crash leaves neither or loses one.
///
/// The recovered file is complete and on disk before anything else changes. Then the damaged file
/// gets another name, from which on the replacement is decided: a process that is killed after that
/// is finished by the next one. The log moves with the damaged file, before the recovered one gets
/// the name of both, since SQLite would play it back.
package struct SQLiteReplacement {
  /// The steps of a replacement, at which tests stop it.
  package enum Step: CaseIterable {
    case begin, keepFile, keepLog, removeLog, rename
  }

  private let path: String
  private let location: SQLiteLocation
  package var willTake: (Step) throws -> Void = { _ in }

  init(_ location: SQLiteLocation) {
    self.location = location
    path = location.path
  }

  /// The recovered file, which gets this name when it is complete.
  var recoveredPath: String { path + ".recovered" }

  /// Keeps the damaged file under another name, and gives its own to the recovered file.
  ///
  /// Call it under the lock of the location.
  ///
  /// - Returns: the path of the damaged file.
  func replace(at date: Date) throws -> String {
    try willTake(.begin)
    let kept = freeName(at: date)
    try willTake(.keepFile)
    // Not every file system has links; then the name is free for a moment.
    guard link(path, kept) == 0 || rename(path, kept) == 0 else {
      throw StorageError.cannotCreate(path: kept, reason: SystemError(code: errno).description)
    }
    try finish(keepingLogOf: kept)
    return kept
  }

  /// Finishes the replacement of a process that was killed; discards one that was not decided.
  func finish() throws {
    guard FileIdentity(path: recoveredPath) != nil else { return }
    try location.locked { try finishInTurn() }
  }

  /// Does the same for a caller that has the lock.
  func finishInTurn() throws {
    guard FileIdentity(path: recoveredPath) != nil else { return }
    if let kept = keptName() {
      try finish(keepingLogOf: kept)
    } else {
      unlink(recoveredPath)
    }
  }

  private func finish(keepingLogOf kept: String) throws {
    SQLiteBackup.flushDirectory(of: path)
    try willTake(.keepLog)
    var log = stat()
    if stat(location.logPath, &log) == 0, log.st_size > 0 {
      guard
        link(location.logPath, kept + "-wal") == 0 || errno == EEXIST
          || rename(location.logPath, kept + "-wal") == 0
      else {
        throw StorageError.cannotCreate(
          path: kept + "-wal", reason: SystemError(code: errno).description)
      }
      SQLiteBackup.flushDirectory(of: path)
    }
    try willTake(.removeLog)
    unlink(location.logPath)
    unlink(location.logIndexPath)
    SQLiteBackup.flushDirectory(of: path)
    try willTake(.rename)
    guard rename(recoveredPath, path) == 0 else {
      throw StorageError.cannotCreate(path: path, reason: SystemError(code: errno).description)
    }
    SQLiteBackup.flushDirectory(of: path)
  }

  /// The name that the damaged file has already got, if the replacement is decided.
  private func keptName() -> String? {
    let names = location.place.siblings(withSuffix: ".corrupt-").filter { !$0.hasSuffix("-wal") }
    guard let file = FileIdentity(path: path) else { return names.last }
    return names.first { FileIdentity(path: $0) == file }
  }

  /// A name with the date that no file has.
  private func freeName(at date: Date) -> String {
    let name = "\(path).corrupt-\(DayName(date).withTime)"
    guard FileIdentity(path: name) != nil else { return name }
    var number = 2
    while FileIdentity(path: "\(name)-\(number)") != nil { number += 1 }
    return "\(name)-\(number)"
  }
}
