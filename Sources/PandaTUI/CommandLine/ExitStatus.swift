internal import PandaCore
internal import Pantry
internal import PantryPostgres

/// The program's exit status.
enum ExitStatus: Int32, Hashable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case network = 3
  case storage = 4
  case notFound = 5
  /// Another program holds a required resource: trying again may help.
  case busy = 75

  /// Returns the status for an error.
  init(for error: any Error) {
    self =
      switch error {
      case let error as SQLiteError: error.code == .busy ? .busy : .storage
      case StorageError.inUse: .busy
      case is StorageError, is DiskError: .storage
      case let error as PostgresError where error.kind == .cutOff: .network
      case let error as PostgresError where error.isLocked: .busy
      case is PostgresError: .storage
      case is HTTPError, is ImageSourceError: .network
      case is any UsageMistake: .usage
      default: .failed
      }
  }

  /// All statuses, the worst first.
  ///
  /// Threats to favorites come first, then temporary failures, then requests that cannot be
  /// fulfilled.
  static let worstFirst: [ExitStatus] = [
    .storage, .busy, .network, .failed, .notFound, .usage, .done,
  ]

  /// Returns the worse of two statuses.
  func worse(_ other: ExitStatus) -> ExitStatus {
    Self.worstFirst.first { $0 == self || $0 == other } ?? self
  }
}

/// A mistake in the user's input, which ends in ``ExitStatus/usage``.
protocol UsageMistake {}
