/// An ordered list of unique identifiers, such as the items of a screen.
///
/// The items themselves are in a ``Store``, once, however many lists contain them: `store[list]`
/// returns them in the order of the list. A list is in memory only, or kept in an engine, where it
/// survives a relaunch and follows other stores and processes as a store does.
///
/// Changes reach the disk first and apply in the order of their calls; each reads and writes as one
/// step, so none is lost, even with other processes. If the engine fails, a change throws its
/// error, and the list is as it was. A change writes only the few hundred identifiers around those
/// that it changes, however long the list is.
///
/// The list lives on the main actor. A change is one transaction of the engine, and takes O(n) at
/// most in memory.
@MainActor
public final class KeyList {
  private let store: Store<KeyListRow>
  private let name: String
  private var content = KeyListContent()

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
  ///
  /// - Complexity: O(1). After a change, O(identifiers after it); O(n) if the change added or
  ///   removed a page, which happens once in some hundred changes.
  public var ids: [String] {
    bringUpToDate()
    return content.ids
  }

  /// The number of identifiers; observed.
  public var count: Int {
    bringUpToDate()
    return content.count
  }

  /// Whether the list is empty; observed.
  public var isEmpty: Bool { count == 0 }

  /// Returns whether the list contains the identifier; observed.
  ///
  /// - Complexity: O(1); O(n) the first time, and at most O(√n) the first time after a change.
  public func contains(_ id: String) -> Bool {
    bringUpToDate()
    return content.pageNumber(CacheKey(verbatim: id)) != nil
  }

  /// Updates the list in memory to the rows of the store; observed.
  private func bringUpToDate() {
    let core = store.core
    // The row of the list changes with each of its other rows.
    content.update(to: store[name]) { core.table.item(CacheKey(verbatim: $0)) }
  }

  /// Whether the list has been read from the storage; observed.
  public var hasLoaded: Bool { store.hasLoaded }

  /// The error of the last load; nil once the list has been loaded.
  ///
  /// Observed like ``hasLoaded``.
  public var loadError: (any Error)? { store.loadError }

  /// The failure to decode the stored list; nil if there is none.
  ///
  /// The next change that adds identifiers replaces it.
  public var loadIssue: LoadIssue? {
    let issues = store.loadIssues
    guard !issues.isEmpty else { return nil }
    bringUpToDate()
    let names = content.pages.map(\.name) + [name, content.row?.index ?? name]
    let keys = Set(names.map(CacheKey.init(verbatim:)))
    return issues.first { keys.contains($0.key) }
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
    let ids = Self.unique(ids)
    try await change { [self] pages in
      let new = ids.filter { content.pageNumber(CacheKey(verbatim: $0)) == nil }
      pages.insert(new, at: pages.place(at: .max))
    }
  }

  /// Appends an identifier; an existing one stays where it is.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func append(_ id: String) async throws { try await append([id]) }

  /// Inserts identifiers at the start, in order; existing ones move there.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func prepend(_ ids: some Sequence<String>) async throws { try await insert(ids, at: 0) }

  /// Inserts an identifier at the start; an existing one moves there.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func prepend(_ id: String) async throws { try await prepend([id]) }

  /// Inserts identifiers at `index`; existing ones move there.
  ///
  /// - Parameters:
  ///   - ids: the identifiers in order; a repeated one counts once.
  ///   - index: an index into the list when the change runs; one past the end means the end.
  /// - Throws: the engine's error; then the list is unchanged.
  public func insert(_ ids: some Sequence<String>, at index: Int) async throws {
    let new = Self.unique(ids)
    try await change { [self] pages in
      var place = pages.place(at: index)
      pages.remove(pageNumbers(of: new), keeping: &place)
      pages.insert(new, at: place)
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
    try await change { [self] pages in
      let numbers = pageNumbers(of: [id])
      guard !numbers.isEmpty else { return }
      var start = pages.place(at: 0)
      pages.remove(numbers, keeping: &start)
      pages.insert([id], at: pages.place(at: index))
    }
  }

  /// Removes identifiers; absent ones are ignored.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func remove(_ ids: some Sequence<String>) async throws {
    let ids = Array(ids)
    try await change { [self] pages in
      var start = pages.place(at: 0)
      pages.remove(pageNumbers(of: ids), keeping: &start)
    }
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
    try await change { [self] pages in
      guard !content.ids.hasSameBytes(as: new) else { return }
      pages = KeyListPages([])
      pages.insert(new, at: pages.place(at: 0))
    }
  }

  /// Removes all identifiers.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  public func removeAll() async throws { try await replaceAll(with: []) }

  /// The identifiers among `ids` that are in the list, by page number.
  private func pageNumbers(of ids: [String]) -> [Int: Set<CacheKey>] {
    var numbers: [Int: Set<CacheKey>] = [:]
    for key in ids.lazy.map(CacheKey.init(verbatim:)) {
      if let number = content.pageNumber(key) { numbers[number, default: []].insert(key) }
    }
    return numbers
  }

  /// Changes the pages on disk, and writes those that are different.
  private func change(_ change: @escaping @MainActor (inout KeyListPages) -> Void) async throws {
    try await store.transaction { [self] transaction in
      bringUpToDate()
      var pages = KeyListPages(content.pages)
      change(&pages)
      pages.balance()
      let rows = KeyListRows(named: name, row: store[name], from: content.pages, to: pages.pages)
      transaction.add(rows.written, to: store)
      transaction.remove(rows.removed, from: store)
    }
  }

  private static func unique(_ ids: some Sequence<String>) -> [String] {
    var known: Set<CacheKey> = []
    return ids.filter { known.insert(CacheKey(verbatim: $0)).inserted }
  }
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
