import Glibc
import SystemSupport
import Testing

@testable import Pantry
@testable import PantryRecovery

/// What a caller can do about an error, whatever its type.
@Suite struct PantryErrorTests {
  enum Kind: Equatable { case retryable, full, newer, other }

  private static func sqlite(_ code: Int32) -> SQLiteError {
    SQLiteError(code, during: .step, path: "/a", connection: nil)
  }

  nonisolated static let errors: [(error: any PantryError, kind: Kind)] = [
    (StorageError.inUse(path: "/a"), .retryable),
    (StorageError.tooManyConflicts(type: "Note", attempts: 20), .retryable),
    (StorageError.newerSchema(path: "/a", version: 7, supported: 6), .newer),
    (StorageError.newerModel(type: "Note", version: 2, supported: 1), .newer),
    (StorageError.outcomeUnknown(reason: "the answer was lost"), .other),
    (StorageError.readOnly(path: "/a"), .other),
    (sqlite(5), .retryable), (sqlite(10), .retryable), (sqlite(13), .full), (sqlite(11), .other),
    (sqlite(522), .other),  // a file that is too short
    (FileError(.write, "/a", code: ENOSPC), .full), (FileError(.write, "/a", code: EDQUOT), .full),
    (FileError(.open, "/a", code: EMFILE), .retryable),
    (FileError(.open, "/a", code: EACCES), .other), (SystemError(code: EIO), .retryable),
    (LoadIssue(key: CacheKey("a"), reason: "newer", data: .init(), newerVersion: 2), .newer),
    (LoadIssue(key: CacheKey("a"), reason: "damaged", data: .init()), .other),
  ]

  @Test func `each error says what can be done about it`() {
    for (error, kind) in Self.errors {
      let found: [(Bool, Kind)] = [
        (error.isRetryable, .retryable), (error.isFull, .full), (error.needsUpdate, .newer),
      ]
      #expect(found.filter(\.0).map(\.1) == (kind == .other ? [] : [kind]), "\(error)")
    }
  }
}
