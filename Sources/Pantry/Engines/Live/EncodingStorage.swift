/// An engine in whose turn what it is to write can be encoded.
protocol EncodingStorage: LiveStorage {
  /// Encodes changes, and commits them as ``LiveStorage/commit(_:basedOn:for:)`` does, whatever
  /// others have changed.
  func commit(
    encoding encode: @Sendable () throws -> [StorageChange], for follower: StorageFollower
  ) async throws -> (changes: [StorageChange], commit: StorageCommit)
}
