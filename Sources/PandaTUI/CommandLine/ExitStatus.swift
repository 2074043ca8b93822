internal import PandaCore
internal import Pantry

/// The program's exit status.
enum ExitStatus: Int32, Hashable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case network = 3
  case storage = 4
  case notFound = 5
  /// Another program holds what is needed: trying again may help.
  case busy = 75

  /// The status for an error.
  init(for error: any Error) {
    self =
      switch error {
      case let error as SQLiteError: error.code == .busy ? .busy : .storage
      case StorageError.inUse: .busy
      case is StorageError, is DiskError: .storage
      case is HTTPError, is ImageSourceError: .network
      case is any UsageMistake: .usage
      default: .failed
      }
  }

  /// All of them, the worst first: what endangers favorites, then what may pass by itself, then
  /// what was asked for in vain.
  static let worstFirst: [ExitStatus] = [
    .storage, .busy, .network, .failed, .notFound, .usage, .done,
  ]

  /// The worse of two.
  func worse(_ other: ExitStatus) -> ExitStatus {
    Self.worstFirst.first { $0 == self || $0 == other } ?? self
  }
}

/// An error of the user's input, which ends in ``ExitStatus/usage``.
protocol UsageMistake {}
