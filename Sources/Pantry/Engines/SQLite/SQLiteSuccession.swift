internal import Glibc
internal import Synchronization

/// Which file is at the path of a database: another one may take its place while it is open.
final class SQLiteSuccession: Sendable {
  private struct State {
    /// How many files were there before this one.
    var number = 0
    var file: FileIdentity?
    /// Its write-ahead log, which the one that takes its place must not take for its own.
    var log: FileIdentity?
    /// The log of the former file, if it was still there and was not to be removed.
    var strayLog: FileIdentity?
  }

  private let location: SQLiteLocation
  private let state = Mutex(State())

  init(_ location: SQLiteLocation) {
    self.location = location
  }

  /// The number of the file that is there now; whoever has opened another one opens it anew.
  ///
  /// While there is none, it is the number of the last one: whoever moves a file away may be about
  /// to put one in its place.
  var number: Int {
    state.withLock { state in
      guard let file = FileIdentity(path: location.path) else { return state.number }
      guard let known = state.file else {
        state.file = file
        return state.number
      }
      if file != known { succeed(by: file, &state) }
      return state.number
    }
  }

  /// Notes the file that has just been opened, with its log.
  func opened() {
    let number = number
    state.withLock { state in
      if state.number == number, state.log == nil {
        state.log = FileIdentity(path: location.logPath)
      }
    }
  }

  /// Throws if the file that was opened is not there any more: what is written to it now is lost.
  func requireFile() throws {
    let isGone = state.withLock { $0.file != nil } && FileIdentity(path: location.path) == nil
    if isGone { throw StorageError.fileIsGone(path: location.path) }
  }

  /// Throws if the log beside the file is a former file's, which a read-only engine cannot remove.
  func requireOwnLog() throws {
    let stray = state.withLock(\.strayLog)
    guard let stray, FileIdentity(path: location.logPath) == stray else { return }
    throw StorageError.damagedFile(
      path: location.path, reason: "the write-ahead log beside it belongs to another database")
  }

  private func succeed(by file: FileIdentity, _ state: inout State) {
    // The log of the former file is still there, and SQLite would play it back into this one
    // (https://sqlite.org/howtocorrupt.html). Whoever has it open keeps it.
    if let log = state.log, FileIdentity(path: location.logPath) == log {
      if location.isReadOnly {
        state.strayLog = log
      } else {
        unlink(location.logPath)
        unlink(location.logIndexPath)
      }
    }
    state.file = file
    state.log = nil
    state.number += 1
  }
}
