/// An ordered list of unique identifiers, such as the items of a screen.
///
/// The items themselves are in a ``Store``, once, however many lists contain them: `store[list]`
/// returns them in the order of the list. A list is in memory only, or kept in an engine, where it
/// survives a relaunch and follows other stores and processes as a store does.
///
/// Changes reach the disk first and apply in the order of their calls; each reads and writes in one
/// transaction of the engine, so none is lost, even with other processes. If the engine fails, a
/// change throws its error, and the list is as it was.
///
/// A list is one row, which each change writes anew: it is meant for some thousand identifiers. The
/// list lives on the main actor, and a change takes O(n) there.
@MainActor
public final class KeyList {
  private let store: Store<KeyListRow>
  private let name: String
  /// The keys of ``ids`` as of a revision of the store, once requested.
  private var known: (revision: Int, keys: Set<CacheKey>)?

  /// Creates a list in memory; if an identifier repeats, the first one counts.
  public init(_ ids: some Sequence<String> = EmptyCollection()) {
    name = ""
    store = Store(
      preview: [KeyListRow(name: name, ids: Self.unique(ids))], Self.definition)
  }

  /// Creates a list that loads in the background from `storage`.
  ///
  /// - Parameters:
  ///   - name: the name of the list, unique in the storage.
  ///   - storage: an engine for lists only, on a namespace that no ``Store`` uses.
  public static func loadingInBackground(
    named name: String, storage: any StorageEngine
  ) -> KeyList {
    KeyList(name, on: storage)
  }

  /// Creates a list and returns when it has loaded from `storage`.
  ///
  /// - Parameters:
  ///   - name: the name of the list, unique in the storage.
  ///   - storage: an engine for lists only, on a namespace that no ``Store`` uses.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(named name: String, storage: any StorageEngine) async throws {
    self.init(name, on: storage)
    try await idsHaveLoaded()
  }

  private init(_ name: String, on storage: any StorageEngine) {
    self.name = name
    store = Store(storage, Self.definition)
  }

  private static var definition: StoreDefinition<KeyListRow> {
    StoreDefinition(path: \.name).upgraded(by: KeyListRow.upgrades)
  }

  // MARK: Reading

  /// The identifiers in order, empty until the list has loaded; observed.
  public var ids: [String] {
    guard let row = store[name] else { return [] }
    guard row.index != nil else { return row.ids }
    return pages(of: row).compactMap { store[$0]?.ids }.flatMap(\.self)
  }

  /// Returns whether the list contains the identifier; observed.
  ///
  /// - Complexity: O(1); O(n) the first time after a change.
  public func contains(_ id: String) -> Bool {
    // Observed even if the keys are known: the row of the list changes with each of its others.
    guard store[name] != nil else { return false }
    let revision = store.core.visible.revision
    if known?.revision != revision { known = (revision, Self.keys(ids)) }
    return known?.keys.contains(CacheKey(verbatim: id)) == true
  }

  /// The names of the rows that have the identifiers of a list of version 0.2.0.
  private func pages(of row: KeyListRow) -> [String] {
    row.index.flatMap { store[$0] }?.ids ?? []
  }

  /// Whether the list has been read from the storage; observed.
  public var hasLoaded: Bool { store.hasLoaded }

  /// The error of the last load; nil once the list has been loaded.
  ///
  /// Observed like ``hasLoaded``.
  public var loadError: (any Error)? { store.loadError }

  /// The failure to decode the stored list; nil if there is none.
  ///
  /// ``replaceAll(with:)`` replaces it; other changes throw
  /// ``StorageError/unreadable(type:key:reason:)``.
  public var loadIssue: LoadIssue? {
    let row = store[name]
    let names = [name] + (row?.index.map { [$0] } ?? []) + (row.map(pages) ?? [])
    let keys = Self.keys(names)
    return store.loadIssues.first { keys.contains($0.key) }
  }

  /// Returns when the list has been loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read; the next call retries.
  public func idsHaveLoaded() async throws { try await store.itemsHaveLoaded() }

  // MARK: Changing

  /// Appends identifiers; existing ones stay where they are.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func append(_ ids: some Sequence<String>) async throws {
    let new = Self.unique(ids)
    try await change { $0 += Self.without(Self.keys($0), new) }
  }

  /// Appends an identifier; an existing one stays where it is.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func append(_ id: String) async throws { try await append([id]) }

  /// Inserts identifiers at `index`, 0 for the start; existing ones move there.
  ///
  /// - Parameters:
  ///   - ids: the identifiers in order; a repeated one counts once.
  ///   - index: an index into the list when the change runs; one past the end means the end.
  /// - Throws: the engine's error; then the list is unchanged.
  public func insert(_ ids: some Sequence<String>, at index: Int) async throws {
    let new = Self.unique(ids)
    let moved = Self.keys(new)
    try await change { ids in
      let (before, after) = (ids.prefix(max(index, 0)), ids.dropFirst(max(index, 0)))
      ids = Self.without(moved, before) + new + Self.without(moved, after)
    }
  }

  /// Inserts an identifier at `index`; an existing one moves there.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func insert(_ id: String, at index: Int) async throws { try await insert([id], at: index) }

  /// Moves an identifier to this final index; does nothing if it is absent.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func move(_ id: String, to index: Int) async throws {
    try await change { ids in
      let others = Self.without([CacheKey(verbatim: id)], ids)
      guard others.count < ids.count else { return }
      ids = others
      ids.insert(id, at: min(max(index, 0), others.count))
    }
  }

  /// Removes identifiers; absent ones are ignored.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func remove(_ ids: some Sequence<String>) async throws {
    let gone = Self.keys(ids)
    try await change { $0 = Self.without(gone, $0) }
  }

  /// Removes an identifier; does nothing if it is absent.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func remove(_ id: String) async throws { try await remove([id]) }

  /// Replaces all identifiers; if one repeats, the first one counts.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func replaceAll(with ids: some Sequence<String>) async throws {
    let new = Self.unique(ids)
    try await change(replacing: true) { $0 = new }
  }

  /// Removes all identifiers.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func removeAll() async throws { try await replaceAll(with: []) }

  /// Changes the identifiers on disk; a list of version 0.2.0 becomes one row.
  private func change(
    replacing: Bool = false, _ change: @escaping @MainActor (inout [String]) -> Void
  ) async throws {
    try await store.transaction { [self] transaction in
      if let issue = loadIssue {
        guard replacing else { throw store.core.visible.refusal(issue) }
        transaction.remove(KeyListRow(name: issue.key.rawValue, ids: []), from: store)
      }
      let old = ids
      var new = old
      change(&new)
      guard !new.elementsEqual(old, by: { $0.utf8.elementsEqual($1.utf8) }) else { return }
      if let row = store[name], let index = row.index {
        transaction.remove((pages(of: row) + [index]).compactMap { store[$0] }, from: store)
      }
      transaction.add(KeyListRow(name: name, ids: new), to: store)
    }
  }

  private static func keys(_ ids: some Sequence<String>) -> Set<CacheKey> {
    Set(ids.lazy.map(CacheKey.init(verbatim:)))
  }

  private static func without(_ keys: Set<CacheKey>, _ ids: some Sequence<String>) -> [String] {
    ids.filter { !keys.contains(CacheKey(verbatim: $0)) }
  }

  private static func unique(_ ids: some Sequence<String>) -> [String] {
    var known: Set<CacheKey> = []
    return ids.filter { known.insert(CacheKey(verbatim: $0)).inserted }
  }
}

struct KeyListRow: Codable, Equatable, Sendable {
  var name: String
  var ids: [String]
  /// The name of a row with the names of the rows that have the identifiers; nil if this one does.
  ///
  /// Version 0.2.0 kept a long list so; it is read, and becomes one row at its first change.
  var index: String?

  /// A row of version 0.2.0 has version 1, which kept 0.1.0 from writing over a long list.
  static let upgrades: [ModelUpgrade] = [.data { $0 }]
}

extension Store {
  /// Returns the items of the list, in its order, skipping missing ones.
  ///
  /// Observes the list, and each item individually.
  /// - Complexity: O(k log n) for k identifiers.
  public subscript(_ list: KeyList) -> [Item] { self[list.ids] }

  /// Watches the items of the list: now and after each change of the list or an item.
  ///
  /// The first value comes when the list and the store have loaded.
  public func watch(_ list: KeyList) -> Watch<[Item]> {
    Watch.known { list.hasLoaded && self.hasLoaded ? self[list] : nil }
  }
}
