/// An ordered list of identifiers without repetitions, such as those of the items that a screen shows.
///
/// The items themselves are in a ``Store``, once, however many lists name them: `store[list]` has them
/// in the order of the list. In memory, or kept in an engine, where it survives a relaunch and follows
/// other stores and processes as a store does.
///
/// Changes reach the disk first and apply in the order in which they were called; each is one
/// reading and writing, so that none is lost, also to another process. If the engine fails, a change
/// throws its error, and the list is as it was. A change costs O(n) for n identifiers: they are one row.
@MainActor
public final class KeyList {
  private let store: Store<KeyListRow>
  private let name: String
  /// The identifiers that `set` was made of: as long as they are the same array, it holds.
  private var indexed: (ids: [String], set: Set<CacheKey>) = ([], [])

  /// Creates a list in memory; of a repeated identifier the first place counts.
  public init(_ ids: some Sequence<String> = EmptyCollection()) {
    name = ""
    store = Store(
      preview: [KeyListRow(name: name, ids: Self.unique(ids))], StoreDefinition(path: \.name))
  }

  /// Creates a list that loads in the background what `storage` has under this name.
  ///
  /// - Parameters:
  ///   - name: what tells it from other lists in the same storage.
  ///   - storage: an engine for lists only: a namespace that no other ``Store`` uses.
  public static func loadingInBackground(
    named name: String, storage: any StorageEngine
  ) -> KeyList {
    KeyList(name, on: storage)
  }

  /// Creates a list and returns when it has loaded what `storage` has under this name.
  ///
  /// - Parameters:
  ///   - name: what tells it from other lists in the same storage.
  ///   - storage: an engine for lists only: a namespace that no other ``Store`` uses.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(named name: String, storage: any StorageEngine) async throws {
    self.init(name, on: storage)
    try await idsHaveLoaded()
  }

  private init(_ name: String, on storage: any StorageEngine) {
    self.name = name
    store = Store(storage, StoreDefinition(path: \.name))
  }

  // MARK: Reading

  /// The identifiers in their order, none until the list has loaded; observed.
  public var ids: [String] { store[name]?.ids ?? [] }

  /// How many there are; observed.
  public var count: Int { ids.count }

  /// Whether there are none; observed.
  public var isEmpty: Bool { ids.isEmpty }

  /// Whether the identifier is in the list; observed.
  ///
  /// - Complexity: O(1); the first time after a change, O(n).
  public func contains(_ id: String) -> Bool {
    let ids = ids
    // One buffer is compared at once.
    if indexed.ids != ids { indexed = (ids, Self.keys(ids)) }
    return indexed.set.contains(CacheKey(verbatim: id))
  }

  /// Whether the list has been read from the storage; observed.
  public var hasLoaded: Bool { store.hasLoaded }

  /// Why the list could not be loaded, in words; nil once it has been.
  ///
  /// Observed like ``hasLoaded``.
  public var loadError: (any Error)? { store.loadError }

  /// Why what is in the storage could not be used; nil if it could.
  ///
  /// The next change that adds something replaces it.
  public var loadIssue: LoadIssue? { store.loadIssues.first { $0.key.rawValue == name } }

  /// Returns when the list has been loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read; the next call tries again.
  public func idsHaveLoaded() async throws { try await store.itemsHaveLoaded() }

  // MARK: Changing

  /// Puts identifiers at the end; those that are in the list stay where they are.
  public func append(_ ids: some Sequence<String>) async throws {
    let new = Self.unique(ids)
    try await change { ids in
      let known = Self.keys(ids)
      ids += new.filter { !known.contains(CacheKey(verbatim: $0)) }
    }
  }

  /// Puts an identifier at the end; if it is in the list, it stays where it is.
  public func append(_ id: String) async throws { try await append([id]) }

  /// Puts identifiers at the start, in their order; those that are in the list move there.
  public func prepend(_ ids: some Sequence<String>) async throws { try await insert(ids, at: 0) }

  /// Puts an identifier at the start; if it is in the list, it moves there.
  public func prepend(_ id: String) async throws { try await prepend([id]) }

  /// Puts identifiers before the one that is at `index`; those that are in the list move there.
  ///
  /// - Parameters:
  ///   - ids: the identifiers in their order; a repeated one counts once.
  ///   - index: a place in the list as it is when its turn comes; one beyond the end is the end.
  public func insert(_ ids: some Sequence<String>, at index: Int) async throws {
    let new = Self.unique(ids)
    try await change { ids in
      let moved = Self.keys(new)
      func stays(_ id: String) -> Bool { !moved.contains(CacheKey(verbatim: id)) }
      let index = min(max(index, 0), ids.count)
      let (before, after) = (ids[..<index], ids[index...])
      ids = before.filter(stays) + new + after.filter(stays)
    }
  }

  /// Puts an identifier before the one that is at `index`; if it is in the list, it moves there.
  public func insert(_ id: String, at index: Int) async throws { try await insert([id], at: index) }

  /// Moves an identifier to where it has this index afterwards; does nothing if it is not there.
  public func move(_ id: String, to index: Int) async throws {
    try await change { ids in
      let key = CacheKey(verbatim: id)
      guard let old = ids.firstIndex(where: { CacheKey(verbatim: $0) == key }) else { return }
      ids.remove(at: old)
      ids.insert(id, at: min(max(index, 0), ids.count))
    }
  }

  /// Takes identifiers out; does nothing for those that are not there.
  public func remove(_ ids: some Sequence<String>) async throws {
    let gone = Self.keys(ids)
    try await change { $0.removeAll { gone.contains(CacheKey(verbatim: $0)) } }
  }

  /// Takes an identifier out; does nothing if it is not there.
  public func remove(_ id: String) async throws { try await remove([id]) }

  /// Makes these the list; of a repeated identifier the first place counts.
  public func replaceAll(with ids: some Sequence<String>) async throws {
    let new = Self.unique(ids)
    try await change { $0 = new }
  }

  /// Takes all identifiers out.
  public func removeAll() async throws { try await replaceAll(with: []) }

  private func change(_ change: @escaping @MainActor (inout [String]) -> Void) async throws {
    func changed(_ row: KeyListRow) -> KeyListRow {
      var row = row
      change(&row.ids)
      return row
    }
    let new = changed(KeyListRow(name: name, ids: []))
    if new.ids.isEmpty {
      try await store.update(name) { $0 = changed($0) }
    } else {
      try await store.merge([new]) { old, _ in changed(old) }
    }
  }

  private static func unique(_ ids: some Sequence<String>) -> [String] {
    var known: Set<CacheKey> = []
    return ids.filter { known.insert(CacheKey(verbatim: $0)).inserted }
  }

  private static func keys(_ ids: some Sequence<String>) -> Set<CacheKey> {
    Set(ids.map(CacheKey.init(verbatim:)))
  }
}

/// A list on disk.
private struct KeyListRow: Codable, Equatable, Sendable {
  var name: String
  var ids: [String]

  /// Whether all bytes are the same: identifiers that Swift takes for one are two.
  static func == (one: KeyListRow, other: KeyListRow) -> Bool {
    one.name == other.name
      && one.ids.elementsEqual(other.ids) { CacheKey(verbatim: $0) == CacheKey(verbatim: $1) }
  }
}

extension Store {
  /// The items that the list names, in its order, without those that are not there.
  ///
  /// Observed: the list, and each of the items by itself.
  /// - Complexity: O(k log n) for k identifiers.
  public subscript(_ list: KeyList) -> [Item] { self[list.ids] }

  /// The items that the list names, now and after each change of the list or one of them.
  ///
  /// The first value comes when the list and the store have loaded.
  public func watch(_ list: KeyList) -> Watch<[Item]> {
    Watch.known { list.hasLoaded && self.hasLoaded ? self[list] : nil }
  }
}
