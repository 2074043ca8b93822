/// An engine that can encode changes within its own turn.
package protocol EncodingStorage: LiveStorage {
  /// Whether canceling its task changes nothing about a commit: then a caller may run it itself.
  nonisolated var ignoresCancellation: Bool { get }

  /// Encodes changes, and commits them like ``LiveStorage/commit(_:basedOn:for:)``, without a
  /// basis.
  func commit(
    encoding encode: @Sendable () throws -> [StorageChange], for follower: StorageFollower
  ) async throws -> (changes: [StorageChange], commit: StorageCommit)
}
