internal import Glibc
internal import SystemSupport

/// Detects that a database file was replaced while it was open.
final class SQLiteSuccession: Sendable {
  private struct State {
    /// The number of earlier files at the path.
    var number = 0
    var file: FileIdentity?
    /// Its write-ahead log, which a replacement must not mistake for its own.
    var log: FileIdentity?
    /// The log of the former file, if it still exists and may not be removed.
    var strayLog: FileIdentity?
  }

  private let location: SQLiteLocation
  private let state = Lock(State())

  init(_ location: SQLiteLocation) {
    self.location = location
  }

  /// The number of the current file; a connection to another one must be reopened.
  ///
  /// While there is no file, it is the number of the last one, since a replacement may be about to
  /// be moved there.
  var number: Int { current.number }

  /// The number of the current file, and whether it is gone from its path: writes would be lost.
  var current: (number: Int, isGone: Bool) {
    state.withLock { state in
      switch FileIdentity.look(location.path) {
      case .found(let file):
        if let known = state.file, file != known {
          succeed(by: file, &state)
        } else {
          state.file = file
        }
        return (state.number, false)
      case .absent: return (state.number, state.file != nil)
      case .unknown: return (state.number, false)
      }
    }
  }

  /// Records the file that has just been opened, with its log.
  func opened() {
    let number = number
    state.withLock { state in
      if state.number == number, state.log == nil {
        state.log = FileIdentity(path: location.logPath)
      }
    }
  }

  /// Whether the log at its path is that of the open file.
  var hasOwnLog: Bool {
    state.withLock { state in
      state.log != nil && state.log == FileIdentity(path: location.logPath)
        && state.file == FileIdentity(path: location.path)
    }
  }

  /// Forgets a log that is gone, so that the next connection's is recorded.
  func forgetLog() { state.withLock { $0.log = nil } }

  /// Throws if the log beside the file belongs to a former file, which a read-only engine cannot
  /// remove.
  func requireOwnLog() throws {
    let stray = state.withLock(\.strayLog)
    guard let stray, FileIdentity(path: location.logPath) == stray else { return }
    throw StorageError.damagedFile(
      path: location.path, reason: "the write-ahead log beside it belongs to another database")
  }

  private func succeed(by file: FileIdentity, _ state: inout State) {
    // The log of the former file still exists, and SQLite would play it back into this one
    // (https://sqlite.org/howtocorrupt.html). A process that has it open keeps it.
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
