public import FoundationEssentials

/// The storage of a ``Store``: one key space of data, in insertion order.
///
/// Overwriting a key keeps its position and its `createdAt`. Reads throw when they fail; an absent
/// key gives nil, or is left out. Methods that others can express have defaults, so an engine of
/// your own needs only the single-key methods, ``allKeys()`` and ``removeAllData()``; implement
/// `commit(_:)` too if your database has transactions.
///
/// What not every database can do comes after the rows, each with a default for one that cannot:
/// other writers, pages, a commit over several key spaces, attachments, a record of the type.
/// Implement the members of such a group together.
///
/// Every method throws the database's own error if the operation fails.
///
/// An engine is an actor, so that any isolation can call it. A ``Store`` expects a call on some
/// keys to take time for these and not for all, and counting not to read the data; the defaults
/// promise neither.
public protocol StorageEngine: Actor {
  /// Where the rows are; nil if no other engine object has them.
  nonisolated var keySpace: StorageLocation? { get }

  /// Writes `data` under `key`.
  ///
  /// - Throws: the database's error.
  func write(_ data: Data, key: CacheKey) async throws
  /// Writes many, all or nothing where the engine can. If a key repeats, the last data wins.
  ///
  /// - Throws: the database's error.
  func write(_ dataAndKeys: [(key: CacheKey, data: Data)]) async throws

  /// Reads the data of `key`, or nil.
  ///
  /// - Throws: the database's error.
  func read(key: CacheKey) async throws -> Data?
  /// Reads many in the order of `keys`, skipping absent ones.
  ///
  /// - Throws: the database's error.
  func read(keys: [CacheKey]) async throws -> [Data]
  /// Reads many with their keys in the order of `keys`, skipping absent ones.
  ///
  /// - Throws: the database's error.
  func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)]
  /// Reads everything in insertion order.
  ///
  /// - Throws: the database's error.
  func readAllData() async throws -> [Data]
  /// Reads everything with its keys in insertion order.
  ///
  /// - Throws: the database's error.
  func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)]

  /// Reads at most `limit` rows in insertion order, from after `key`, or from the start if nil.
  ///
  /// Returns none if there is no such key.
  ///
  /// - Throws: the database's error.
  func readDataAndKeys(after key: CacheKey?, limit: Int) async throws
    -> [(key: CacheKey, data: Data)]

  /// Removes `key`; no error if it is absent.
  ///
  /// - Throws: the database's error.
  func remove(key: CacheKey) async throws
  /// Removes many, all or nothing where the engine can.
  ///
  /// - Throws: the database's error.
  func remove(keys: [CacheKey]) async throws
  /// Removes everything.
  ///
  /// - Throws: the database's error.
  func removeAllData() async throws

  /// Returns whether `key` exists.
  ///
  /// - Throws: the database's error.
  func keyExists(_ key: CacheKey) async throws -> Bool
  /// Returns the existing ones of `keys`, in the order given.
  ///
  /// - Throws: the database's error.
  func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey]
  /// Returns the number of keys.
  ///
  /// - Throws: the database's error.
  func keyCount() async throws -> Int
  /// Returns every key in insertion order.
  ///
  /// - Throws: the database's error.
  func allKeys() async throws -> [CacheKey]

  /// Returns the time at which `key` was first written, or nil; overwriting keeps it.
  ///
  /// - Throws: the database's error.
  func createdAt(key: CacheKey) async throws -> Date?
  /// Returns the time at which `key` was last written, or nil.
  ///
  /// - Throws: the database's error.
  func updatedAt(key: CacheKey) async throws -> Date?

  /// Applies changes in order, all or nothing where the engine can.
  ///
  /// The default applies them one after another, so an error may leave the earlier ones applied.
  ///
  /// - Throws: the database's error.
  func commit(_ changes: [StorageChange]) async throws

  /// Finishes what is left to do before the program ends; a later call may open the storage again.
  ///
  /// The default does nothing.
  ///
  /// - Throws: the database's error; then nothing is lost that an earlier call has kept.
  func close() async throws

  // MARK: Other writers

  /// Starts notifying a follower of the writes of others, for the follower's lifetime.
  ///
  /// Implement this, and the three methods that follow, where other engines and processes may write
  /// the rows. The follower has a cursor: reading or committing for it returns the changes of
  /// others since then, and the engine advances the cursor past them.
  ///
  /// - Every changed row is delivered in its current state. A row may be delivered again, even one
  ///   that the follower wrote itself; the store recognizes it as known.
  /// - Rows need not become visible in the order of their positions: an update may contain a row
  ///   whose position is before known ones.
  /// - No change is missed: a commit during a call is delivered by this call or by a later one, of
  ///   which the follower is notified.
  /// - Reading changes takes time for the changes, not for all rows.
  ///
  /// Notifications begin with its first ``rows(for:)``. `EngineContract` of PantryTesting checks
  /// all of it for an engine under test with `isLive`. By default there are no other writers.
  nonisolated func add(_ follower: StorageFollower)

  /// Reads a snapshot of all rows, in the order of their positions, and advances the follower to
  /// it.
  ///
  /// - Throws: the engine's error; then the follower has not advanced.
  func rows(for follower: StorageFollower) async throws -> [StorageRow]

  /// Reads the changes of others since the follower's cursor, as of one moment.
  ///
  /// - Throws: the engine's error; then the follower has not advanced.
  func changes(for follower: StorageFollower) async throws -> StorageUpdate

  /// Reads the changes of others, then applies `changes` in order, in one transaction.
  ///
  /// - Parameters:
  ///   - changes: the changes to write.
  ///   - basis: the rows that `changes` depend on. If others have changed them since the follower's
  ///     cursor, nothing is written.
  ///   - follower: is advanced past the commit.
  /// - Throws: the engine's error; then nothing is written, and the follower has not advanced. If
  ///   the answer to the commit was lost, ``StorageError/outcomeUnknown(reason:)``: the store reads
  ///   the storage again before its next operation.
  func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit

  /// Whether canceling the caller's task changes nothing about a commit; false by default.
  ///
  /// Then a ``Store`` may commit in the task of its caller, which saves a change of threads.
  nonisolated var ignoresCancellation: Bool { get }

  // MARK: Pages

  /// Reads at most `limit` rows after `position`, in the order of the positions.
  ///
  /// Implement it so that no single read takes long. Each page is a snapshot of its own moment; the
  /// first one advances the follower to its moment. So the rows are consistent once
  /// ``changes(for:)`` has been added to the last page. By default all rows are the first page.
  ///
  /// - Parameters:
  ///   - position: the position of the last row read; nil starts over.
  ///   - limit: the number of rows in a page.
  ///   - follower: is advanced to the moment of the first page.
  /// - Returns: nil if the storage of the earlier pages was replaced: start over.
  /// - Throws: the engine's error.
  func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]?

  /// Reads the last rows by position, and counts all rows, as of one moment; nil by default.
  ///
  /// A ``Store`` with an excerpt shows them while it reads all rows. No follower advances.
  ///
  /// - Parameter limit: the maximum number of rows.
  /// - Throws: the engine's error.
  func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)?

  // MARK: Several key spaces

  /// Equal for engines whose key spaces can be committed together; by default the engine alone.
  ///
  /// It identifies an object that lives as long as each of them, such as their connection.
  /// `store.transaction(with:)` over several stores needs engines with an equal one.
  nonisolated var joint: ObjectIdentifier { get }

  /// Reads the changes of others in each key space and, unless they concern a basis, applies all
  /// changes, in one transaction.
  ///
  /// A store commits through this, also where there is one part only. Call
  /// ``StoragePart/admitChanges()`` of each before: that keeps an older program from writing over
  /// the rows of a newer one. The default does, and commits one part after another. A part without
  /// changes only has its basis compared.
  ///
  /// - Parameter parts: one for each store, in different key spaces of engines with this ``joint``.
  /// - Returns: the outcome of each part, in their order; either all have positions or none. An
  ///   engine without other writers returns an empty update and no positions.
  /// - Throws: the engine's error; then nothing is written, and no follower has advanced. See
  ///   ``commit(_:basedOn:for:)`` for a lost answer.
  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit]

  // MARK: Attachments

  /// The attachments of this engine in use by values of this process; nil if it keeps none.
  ///
  /// Then a ``Store`` writes their bytes inline, into the item. By default it is nil.
  nonisolated var liveAttachments: AttachmentsInUse? { get }

  /// Reads the bytes with this digest, or nil if the engine does not have them.
  ///
  /// Bytes that no row refers to stay readable as long as ``liveAttachments`` contains their
  /// digest.
  ///
  /// - Throws: the engine's error.
  nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data?

  /// Frees at once all bytes that neither a row nor ``liveAttachments`` refers to.
  ///
  /// An engine does so by itself at a suitable time; call this after a user has deleted data that
  /// must be gone.
  ///
  /// - Throws: the engine's error.
  func sweepAttachments() async throws

  // MARK: The type of the rows

  /// Returns the recorded definition of the key space, unchanged; nil if none is recorded.
  ///
  /// A ``Store``, an ``ObjectStorage`` and an ``AsyncStoredValue`` compare it before they use the
  /// rows, and throw ``StorageError/otherType(namespace:wrote:asks:)`` or
  /// ``StorageError/otherDefinition(namespace:type:)`` if it is another's. The default agrees with
  /// every type; then nothing is recorded, and only this process watches.
  ///
  /// - Parameter claim: the caller's type, for an engine with rows of versions that recorded none.
  /// - Throws: the database's error.
  func definition(for claim: RowType) async throws -> String?

  /// Records the definition of `claim` if the recorded one still is `known`, as one step.
  ///
  /// The record survives ``removeAllData()``. Failing to record is no failure of the caller: it
  /// tries again at its next opening.
  ///
  /// - Returns: the definition that is recorded afterwards.
  /// - Throws: the database's error.
  func record(_ claim: RowType, replacing known: String?) async throws -> String?
}
