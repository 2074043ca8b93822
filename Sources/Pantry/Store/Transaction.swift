/// Changes of several stores that happen together: all or none, on disk and in memory.
///
/// ```swift
/// try await favorites.transaction(with: trash) { t in
///   t.remove(image, from: favorites)
///   t.add(TrashedImage(image), to: trash)
/// }
/// ```
///
/// It is valid only inside the closure that receives it: using it later ends the program with a
/// message, since its changes would be lost.
///
/// It lives on the main actor. Collecting a change is O(1) for each item; the commit is one
/// transaction of the engine, with one flush of the disk for all stores.
@MainActor
public final class Transaction {
  private var parts: [any TransactionPart] = []
  private var misuse: StorageError?
  private var isOpen = false

  init() {}

  // MARK: Reading

  /// Returns the item that the storage has, without optimistic changes that are under way.
  ///
  /// Inside ``Store/optimistically(_:commit:)`` the store itself shows the result already; this
  /// shows whether another writer was faster.
  ///
  /// - Complexity: O(1).
  public func stored<Item>(_ identifier: some ItemIdentifier, in store: Store<Item>) -> Item? {
    requireOpen()
    let key = CacheKey(of: identifier)
    if let written = store.core.visible.provisional.written(key) { return written }
    return store.core.visible.table.item(key)
  }

  // MARK: Changing

  /// Saves an item in `store`: see ``Store/add(_:)-(Item)->()``.
  ///
  /// If its row exists and cannot be read, the transaction throws
  /// ``StorageError/unreadable(type:key:reason:)``: the closure may have found no item there.
  /// Remove the row first to replace it.
  public func add<Item>(_ item: Item, to store: Store<Item>) { add([item], to: store) }

  /// Saves many items in `store`.
  public func add<Item>(_ items: [Item], to store: Store<Item>) {
    append(.add(items), to: store)
  }

  /// Removes an item from `store`, if it exists.
  public func remove<Item>(_ item: Item, from store: Store<Item>) { remove([item], from: store) }

  /// Removes many items from `store`, as far as they exist.
  public func remove<Item>(_ items: [Item], from store: Store<Item>) {
    append(.remove(items.map(store.core.visible.identifier)), to: store)
  }

  /// Removes everything from `store`.
  public func removeAll<Item>(from store: Store<Item>) { append(.removeAll, to: store) }

  /// Merges rows into `store`: see ``Store/merge(_:removing:policy:)->()``.
  public func merge<Item>(
    _ rows: [Item], into store: Store<Item>, removing identifiers: [any ItemIdentifier] = [],
    policy: Store<Item>.MergePolicy? = nil
  ) {
    append(.merge(rows, removing: identifiers.map { CacheKey(of: $0) }, policy: policy), to: store)
  }

  /// Changes an item of `store`, if it exists, on top of the earlier changes.
  ///
  /// If `change` throws, the whole transaction throws its error, and nothing changes.
  public func update<Item>(
    _ identifier: some ItemIdentifier, in store: Store<Item>,
    _ change: @escaping @MainActor (inout Item) throws -> Void
  ) {
    append(.update(CacheKey(of: identifier), change), to: store)
  }

  private func append<Item>(_ step: StoreStep<Item>, to store: Store<Item>) {
    requireOpen()
    guard let part = part(of: store.core) else {
      misuse = .notInTransaction(type: TypeName(Item.self).shown)
      return
    }
    part.steps.append(step)
  }

  /// Ends the program if the closure has returned.
  private func requireOpen() {
    guard !isOpen else { return }
    // Unlike a precondition, it says why in release builds too.
    fatalError(
      "A Transaction was used after its closure had returned, which changes nothing. "
        + "Record all changes before the closure returns.")
  }

  // MARK: Running

  func join<Item>(_ core: StoreCore<Item>) {
    if part(of: core) == nil { parts.append(StoreTransactionPart(core)) }
  }

  private func part<Item>(of core: StoreCore<Item>) -> StoreTransactionPart<Item>? {
    for case let part as StoreTransactionPart<Item> in parts where part.core === core {
      return part
    }
    return nil
  }

  /// Runs `body` when it has the turn of all stores, and commits its changes.
  func run<Result: Sendable>(
    _ body: @escaping @MainActor (Transaction) throws -> Result
  ) async throws -> Result {
    let parts = parts
    // All at once, so that two transactions cannot deadlock.
    let turns = parts.map { $0.takeTurn() }
    let task = Task {
      defer { for turn in turns { turn.end() } }
      guard Set(parts.map(\.storage.joint)).count == 1 else { throw StorageError.notJoint }
      for part in parts { try await part.load() }
      for turn in turns { await turn.begun() }
      // Not before: the follower would be ahead of memory while another operation is resolved.
      for part in parts { try await part.requireCertainty() }
      return try await self.perform(body, on: parts)
    }
    // A separate task: canceling the caller does not stop a transaction that has begun.
    return try await task.value
  }

  private func perform<Result>(
    _ body: @MainActor (Transaction) throws -> Result, on parts: [any TransactionPart]
  ) async throws -> Result {
    var backOff = ConflictBackOff(patience: parts[0].conflictPatience)
    while true {
      let result = try ask(body)
      var changes: [StoragePart] = []
      for part in parts { changes.append(try await part.resolve()) }
      let onlyReads = !parts.contains(where: \.hasSteps)
      // The closure may have read items that are no longer on disk, or of two moments.
      let commits = try await onlyReads ? changes.compared() : commit(changes, of: parts)
      guard commits.allSatisfy({ $0.positions != nil }) else {
        // Others have changed what the closure may have read: it runs again.
        for (part, commit) in zip(parts, commits) { await part.follow(commit.update) }
        if try await backOff.waitAfterConflict(over: parts[0].itemType) {
          for part in parts { try await part.followOthers() }
        }
        continue
      }
      if onlyReads { return result }
      for (part, commit) in zip(parts, commits) { await part.prepare(commit) }
      // All in one turn of the main actor: no observer sees a part.
      let notifications = parts.map { $0.apply() }
      for notify in notifications { notify() }
      return result
    }
  }

  private func ask<Result>(_ body: @MainActor (Transaction) throws -> Result) throws -> Result {
    for part in parts { part.begin() }
    isOpen = true
    defer {
      isOpen = false
      for part in parts { part.end() }
    }
    let result = try body(self)
    if let misuse { throw misuse }
    return result
  }

  private func commit(
    _ changes: [StoragePart], of parts: [any TransactionPart]
  ) async throws -> [StorageCommit] {
    do {
      return try await changes[0].storage.commit(changes)
    } catch {
      for part in parts { await part.note(error) }
      throw error
    }
  }
}

extension Store {
  /// Changes this store and others together, all or nothing, on disk and in memory.
  ///
  /// It is one transaction and one flush. Observers of each store are notified once, after all
  /// stores have changed. The stores must be on one SQLite file or one PostgreSQL server, or all in
  /// memory.
  ///
  /// `body` records changes, which are made after it returns. It runs on the main actor, after the
  /// earlier operations of all these stores, and sees the stores as they are on disk: if another
  /// process changes one of them in the same moment, it is called again. So it should read stores
  /// and compute, without side effects. It cannot await, so no transaction is held open.
  ///
  /// - Parameters:
  ///   - others: all other stores that `body` reads or changes.
  ///   - body: receives the ``Transaction``, and records changes in it.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, ``StorageError/notJoint`` or
  ///   ``StorageError/notInTransaction(type:)`` if the stores cannot share a transaction or one is
  ///   missing from it, or the encoder's or the engine's error; then nothing has changed.
  public func transaction<each Other, Result: Sendable>(
    with others: repeat Store<each Other>,
    body: @escaping @MainActor (_ transaction: Transaction) throws -> Result
  ) async throws -> Result {
    let transaction = Transaction()
    transaction.join(core)
    for other in repeat each others { transaction.join(other.core) }
    return try await transaction.run(body)
  }
}
