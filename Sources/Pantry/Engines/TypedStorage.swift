/// An engine that records what its key space is used for, so that nothing else uses it.
///
/// A ``Store``, an ``ObjectStorage`` and an ``AsyncStoredValue`` compare the record before they use
/// the rows, and throw ``StorageError/otherType(namespace:wrote:asks:)`` or
/// ``StorageError/otherDefinition(namespace:type:)`` if it is another's. An engine that does not
/// adopt the protocol is only watched within one process.
public protocol TypedStorage: StorageEngine {
  /// Returns the recorded definition, unchanged; nil if none is recorded.
  ///
  /// - Parameter claim: the caller's use, for an engine with rows of versions that recorded none.
  /// - Throws: the database's error.
  func definition(for claim: StorageClaim) async throws -> String?

  /// Records the definition of `claim` if the recorded one still is `known`, as one step.
  ///
  /// The record survives ``StorageEngine/removeAllData()``. Failing to record is no failure of the
  /// caller: it tries again at its next opening.
  ///
  /// - Returns: the definition that is recorded afterwards.
  /// - Throws: the database's error.
  func record(_ claim: StorageClaim, replacing known: String?) async throws -> String?
}

/// A key space of an engine, as stores of one process know it.
public struct StorageKeySpace: Sendable {
  /// Equal for all engines of the process that share the rows.
  public let place: String
  /// The name in messages.
  public let name: String

  /// The name in messages of one that has no name of its own.
  static let unnamed = "of this storage"

  /// Describes a key space.
  public init(place: String, name: String) {
    self.place = place
    self.name = name
  }
}
