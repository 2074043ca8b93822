internal import Pantry
internal import PantryPostgres

/// The kind of an error of the storage or the network, regardless of its wording.
package enum ErrorKind: Hashable, Sendable {
  /// Another program holds what is needed: trying again may help.
  case busy
  /// A server could not be reached, or did not do its part.
  case network
  case storage
  /// The file of the favorites is damaged, so that it can be recovered.
  case damage
  case other

  package init(of error: any Error) {
    self =
      switch error {
      case _ where SQLiteStorageEngine.reportsDamage(error): .damage
      case let error as SQLiteError: error.kind == .busy ? .busy : .storage
      case StorageError.inUse: .busy
      case is StorageError: .storage
      case let error as PostgresError where error.kind == .cutOff: .network
      case let error as PostgresError: error.isLocked ? .busy : .storage
      case is HTTPError, is ImageSourceError: .network
      default: .other
      }
  }
}
