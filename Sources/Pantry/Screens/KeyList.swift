/// An ordered list of identifiers without repetitions, such as those of the items that a screen
/// shows.
///
/// The items themselves are in a ``Store``, once, however many lists name them: `store[list]` has
/// them in the order of the list. In memory, or kept in an engine, where it survives a relaunch and
/// follows other stores and processes as a store does.
///
/// Changes reach the disk first and apply in the order in which they were called; each is one
/// reading and writing, so that none is lost, also to another process. If the engine fails, a
/// change throws its error, and the list is as it was. A change writes the few hundred identifiers
/// beside those that it changes, however long the list is.
@MainActor
public final class KeyList {
  private let store: Store<KeyListRow>
  private let name: String
  private var content = KeyListContent()

  /// Creates a list in memory; of a repeated identifier the first place counts.
  public init(_ ids: some Sequence<String> = EmptyCollection()) {
    name = ""
    store = Store(
      preview: [KeyListRow(name: name, ids: Self.unique(ids))], Self.definition)
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
    store = Store(storage, Self.definition)
  }

  private static var definition: StoreDefinition<KeyListRow> {
    StoreDefinition(path: \.name).upgraded(by: KeyListRow.upgrades)
  }

  // MARK: Reading

  /// The identifiers in their order, none until the list has loaded; observed.
  ///
  /// - Complexity: O(1); after a change, O(identifiers that follow it), and O(n) after one that
  ///   made another page, which is one of some hundred.
  public var ids: [String] {
    bringUpToDate()
    return content.ids
  }

  /// How many there are; observed.
  public var count: Int {
    bringUpToDate()
    return content.count
  }

  /// Whether there are none; observed.
  public var isEmpty: Bool { count == 0 }

  /// Whether the identifier is in the list; observed.
  ///
  /// - Complexity: O(1); the first time O(n), and the first time after a change O(√n) at most.
  public func contains(_ id: String) -> Bool {
    bringUpToDate()
    return content.pageNumber(CacheKey(verbatim: id)) != nil
  }

  /// Brings what is in memory of the list to what the store has; observed.
  private func bringUpToDate() {
    let core = store.core
    // The row of the list changes with all others of it.
    content.update(to: store[name]) { core.table.item(CacheKey(verbatim: $0)) }
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
  /// - Throws: the engine's error if the storage cannot be read; the next call tries again.
  public func idsHaveLoaded() async throws { try await store.itemsHaveLoaded() }

  // MARK: Changing

  /// Puts identifiers at the end; those that are in the list stay where they are.
  public func append(_ ids: some Sequence<String>) async throws {
    let ids = Self.unique(ids)
    try await change { [self] pages in
      let new = ids.filter { content.pageNumber(CacheKey(verbatim: $0)) == nil }
      pages.insert(new, at: pages.place(at: .max))
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
    try await change { [self] pages in
      var place = pages.place(at: index)
      pages.remove(pageNumbers(of: new), keeping: &place)
      pages.insert(new, at: place)
    }
  }

  /// Puts an identifier before the one that is at `index`; if it is in the list, it moves there.
  public func insert(_ id: String, at index: Int) async throws { try await insert([id], at: index) }

  /// Moves an identifier to where it has this index afterwards; does nothing if it is not there.
  public func move(_ id: String, to index: Int) async throws {
    try await change { [self] pages in
      let numbers = pageNumbers(of: [id])
      guard !numbers.isEmpty else { return }
      var start = pages.place(at: 0)
      pages.remove(numbers, keeping: &start)
      pages.insert([id], at: pages.place(at: index))
    }
  }

  /// Takes identifiers out; does nothing for those that are not there.
  public func remove(_ ids: some Sequence<String>) async throws {
    let ids = Array(ids)
    try await change { [self] pages in
      var start = pages.place(at: 0)
      pages.remove(pageNumbers(of: ids), keeping: &start)
    }
  }

  /// Takes an identifier out; does nothing if it is not there.
  public func remove(_ id: String) async throws { try await remove([id]) }

  /// Makes these the list; of a repeated identifier the first place counts.
  public func replaceAll(with ids: some Sequence<String>) async throws {
    let new = Self.unique(ids)
    try await change { [self] pages in
      guard !content.ids.hasSameBytes(as: new) else { return }
      pages = KeyListPages([])
      pages.insert(new, at: pages.place(at: 0))
    }
  }

  /// Takes all identifiers out.
  public func removeAll() async throws { try await replaceAll(with: []) }

  /// Those of `ids` that are in the list, by the numbers of their pages.
  private func pageNumbers(of ids: [String]) -> [Int: Set<CacheKey>] {
    var numbers: [Int: Set<CacheKey>] = [:]
    for key in ids.lazy.map(CacheKey.init(verbatim:)) {
      if let number = content.pageNumber(key) { numbers[number, default: []].insert(key) }
    }
    return numbers
  }

  /// Changes the pages as they are on disk, and writes those that are different then.
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
