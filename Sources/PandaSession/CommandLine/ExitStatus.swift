internal import Glibc
internal import PandaCore
internal import SystemSupport

package enum ExitStatus: Int32, Hashable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case network = 3
  case storage = 4
  case notFound = 5
  /// Another program holds a required resource: trying again may help.
  case busy = 75

  package init(for error: any Error) {
    self =
      switch ErrorKind(of: error) {
      case .busy: .busy
      case .network: .network
      case .storage, .damage: .storage
      case .other where (error as? FileError)?.isOfMissingFile == true: .notFound
      case .other:
        error is any UsageMistake || (error as? ExchangeError)?.isUsage == true
          ? .usage : .failed
      }
  }

  /// All statuses, the worst first.
  ///
  /// Threats to favorites come first, then temporary failures, then requests that cannot be
  /// fulfilled.
  package static let worstFirst: [ExitStatus] = [
    .storage, .busy, .network, .failed, .notFound, .usage, .done,
  ]

  package func worse(_ other: ExitStatus) -> ExitStatus {
    Self.worstFirst.first { $0 == self || $0 == other } ?? self
  }
}

extension FileError {
  /// Whether what was to be read does not exist.
  fileprivate var isOfMissingFile: Bool {
    code == ENOENT && [.open, .list, .read].contains(operation)
  }
}

/// A mistake in the user's input, which ends in ``ExitStatus/usage``.
package protocol UsageMistake {}
