internal import FoundationEssentials

/// Turns items into the JSON that an engine keeps, and back, off the main actor and on all cores.
struct ItemCoder<Item: StorableItem>: Sendable {
  /// The number of items that one task codes: enough to be worth a task, and few enough that
  /// another task of the program waits only a few milliseconds for a thread.
  static var chunkSize: Int { 128 }

  /// The number of rows read at a time.
  private static var pageSize: Int { WorkSizes.current.page }

  /// The number of rows read at a time where memory matters more than speed.
  private static var batchSize: Int { 128 }

  /// The number of rows after which a slow load uses all cores: 0.2 seconds of loading favorites,
  /// in which a program draws its first screens.
  private static var slowCount: Int { 16_384 }

  let storage: any StorageEngine
  let definition: StoreDefinition<Item>

  /// The loaded table, and the rows to write back.
  struct Loaded: Sendable {
    var table = ItemTable<Item>()
    /// The keys of the rows that had an older version.
    var upgraded: [CacheKey] = []
    /// The rows whose items have another identifier, by an upgrade that says so.
    fileprivate var renamed: [(row: StorageRow, decoded: DecodedItem)] = []
  }

  /// Reads all rows of the engine into the table that the store shows.
  ///
  /// The rows are freed here, since freeing ten thousand would block the main actor for
  /// milliseconds.
  ///
  /// - Parameters:
  ///   - follower: is advanced to the state that was read.
  ///   - count: about the number of rows; nil if it is unknown.
  ///   - slowly: whether to load the first rows on one core, a batch in memory at a time, which
  ///     leaves the other cores to drawing.
  @concurrent
  func load(
    for follower: StorageFollower, count: Int?, slowly: Bool
  ) async throws -> Loaded {
    let claim = self.claim
    let known = try await claim.recorded(in: storage)
    var loaded = try await rows(for: follower, count: count, slowly: slowly)
    while try await rename(loaded.renamed, for: follower) {
      loaded = try await rows(for: follower, count: nil, slowly: slowly)
    }
    try requireIdentifiers(of: loaded.table)
    // With an unreadable row, rows without a record may be those of several types.
    if loaded.table.issues.isEmpty { try await claim.record(in: storage, replacing: known) }
    return loaded
  }

  /// Writes rows under the identifiers that upgrades have given their items.
  ///
  /// - Returns: whether the storage has changed; not if it is read-only.
  private func rename(
    _ renamed: [(row: StorageRow, decoded: DecodedItem)], for follower: StorageFollower
  ) async throws -> Bool {
    guard !renamed.isEmpty else { return false }
    let new = Set(renamed.map(\.decoded.key))
    // Removals last: an engine that fails in between has each item under one of its keys.
    let steps: [ResolvedStep<Item>] = [
      .add(renamed.map(\.decoded.item)),
      .remove(renamed.map(\.row.key).filter { !new.contains($0) }),
    ]
    let changes = try await changes(of: steps).changes
    do {
      // If others have written meanwhile, nothing is: then all is read again.
      _ = try await storage.commit([
        StoragePart(
          storage: storage, changes: changes, basis: .everything, follower: follower,
          rowGuard: definition.rowGuard)
      ])
      storage.noteStored(changes)
      return true
    } catch StorageError.readOnly {
      return false
    }
  }

  private var claim: RowType {
    RowType(
      definition.coding == nil ? .items : .coded, of: TypeName(Item.self),
      formerNames: definition.formerNames
    ) { key, data in
      guard case .success = decodeChunk([StorageRow(key: key, data: data, position: 0)]).first
      else { return false }
      return true
    }
  }

  /// Throws if most readable rows were saved under another identifier.
  ///
  /// A few others may have an identifier that changed, and fit this one by chance.
  private func requireIdentifiers(of table: ItemTable<Item>) throws(StorageError) {
    let others = table.issues.filter { $0.otherIdentifier != nil }
    guard others.count > table.items.count, let issue = others.first,
      let identifier = issue.otherIdentifier
    else { return }
    let (type, key) = (TypeName(Item.self).shown, issue.key.rawValue)
    if let version = issue.versionBeforeUpgrade {
      throw .upgradeChangesIdentifier(
        type: type, key: key, identifier: identifier.rawValue,
        upgrades: version + 1...definition.upgrades.count)
    }
    throw .otherIdentifier(type: type, key: key, identifier: identifier.rawValue)
  }

  private func rows(
    for follower: StorageFollower, count: Int?, slowly: Bool
  ) async throws -> Loaded {
    while true {
      if let loaded = try await pages(for: follower, count: count, slowly: slowly) {
        return loaded
      }
    }
  }

  /// Reads page by page, and decodes the pages while the next ones are read.
  ///
  /// - Returns: nil if the file of the storage was replaced meanwhile, or rows were changed whose
  ///   identifiers an upgrade changes.
  private func pages(
    for follower: StorageFollower, count: Int?, slowly: Bool
  ) async throws -> Loaded? {
    return try await withThrowingTaskGroup(of: DecodedPage.self) { group in
      var loaded = Loaded()
      if let count {
        loaded.table.reserveCapacity(count)
        storage.liveAttachments?.reserveCapacity(count)
      }
      var decoded: [Int: DecodedPage] = [:]
      var (begun, ended, added) = (0, 0, 0)
      func take(_ page: DecodedPage?) {
        guard let page else { return }
        ended += 1
        decoded[page.number] = page
        while let next = decoded.removeValue(forKey: added) {
          for (row, result) in zip(next.rows, next.results) { append(result, of: row, to: &loaded) }
          added += 1
        }
      }
      var last: Int?
      var pageCount = 0
      repeat {
        let isSlow = slowly && begun * Self.batchSize < Self.slowCount
        let size = isSlow ? Self.batchSize : Self.pageSize
        let width = isSlow ? 1 : 2 * ProcessInfo.processInfo.activeProcessorCount
        guard let rows = try await storage.page(after: last, limit: size, for: follower) else {
          return nil
        }
        pageCount += 1
        last = rows.count == size ? rows.last?.position : nil
        if count == nil, pageCount == 1 { loaded.table.reserveCapacity(rows.count) }
        // An engine without pages has returned all rows.
        for start in stride(from: 0, to: rows.count, by: size) {
          let part = rows[start..<min(start + size, rows.count)]
          group.addTask { [number = begun] in
            DecodedPage(number: number, rows: part, results: decodeChunk(part))
          }
          begun += 1
          if begun - ended >= width { take(try await group.next()) }
        }
      } while last != nil
      while let page = try await group.next() { take(page) }
      settle(&loaded)
      if pageCount > 1 {
        let update = try await storage.changes(for: follower)
        // What is written under new identifiers must be the newest content.
        if !loaded.renamed.isEmpty, !update.isEmpty {
          guard update.isEverything else { return nil }
          loaded.renamed = []  // the next launch writes them
        }
        for edit in await edits(for: update) { edit.apply(to: &loaded.table) }
      }
      loaded.table.reserveRoom()
      return loaded
    }
  }

  private struct DecodedPage: Sendable {
    let number: Int
    let rows: ArraySlice<StorageRow>
    let results: [DecodedRow]
  }

  @concurrent
  func edits(for update: StorageUpdate) async -> [TableEdit<Item>] {
    if update.isEverything { return [.replace(await table(update.rows).table)] }
    var entries = TableEdit<Item>.Entries()
    var issues: [(issue: LoadIssue, position: Int)] = []
    for (row, result) in zip(update.rows, decodeChunk(update.rows[...])) {
      switch result {
      case .success(let decoded) where decoded.key == row.key:
        entries.append(decoded.item, key: decoded.key, position: row.position)
      // The next launch gives it its identifier.
      case .success(let decoded): issues.append((otherIdentifier(decoded, of: row), row.position))
      case .failure(let issue): issues.append((issue, row.position))
      }
    }
    var edits: [TableEdit<Item>] = []
    // Removals first, since a new row may reuse the number of a removed one.
    if !update.removed.isEmpty { edits.append(.remove(update.removed)) }
    if !entries.isEmpty { edits.append(.put(entries)) }
    if !issues.isEmpty { edits.append(.note(issues)) }
    return edits
  }

  /// Reads the newest items and the count, or nil if the engine does not give them.
  ///
  /// Also nil if reading fails: the load that follows gets the same error, and throws it.
  @concurrent
  func excerpt(limit: Int) async -> StoreExcerpt<Item>? {
    guard limit > 0 else { return nil }
    do {
      _ = try await claim.recorded(in: storage)
      guard let (rows, count) = try await storage.newestPage(limit: limit) else { return nil }
      // The load reports the rows that cannot be decoded.
      let items = decodeChunk(rows[...]).compactMap { try? $0.get().item }
      return StoreExcerpt(items: items, count: count)
    } catch {
      return nil
    }
  }

  /// Decodes an engine's rows into the table that the store shows, on all cores.
  private func table(_ rows: [StorageRow]) async -> Loaded {
    let chunks = await inChunks(rows) { decodeChunk($0) }
    var loaded = Loaded()
    loaded.table.reserveCapacity(rows.count)
    for (row, result) in zip(rows, chunks.joined()) { append(result, of: row, to: &loaded) }
    for (row, decoded) in loaded.renamed {
      loaded.table.note(otherIdentifier(decoded, of: row), key: row.key, ordinal: row.position)
    }
    loaded.table.reserveRoom()
    return loaded
  }

  /// Shows the items with new identifiers; a row is an issue if another one has its new key.
  ///
  /// They get an order in which each can be written: if one is to replace the row of another, that
  /// comes first.
  private func settle(_ loaded: inout Loaded) {
    let rows = loaded.renamed
    guard !rows.isEmpty else { return }
    let coder = RowCoder(storage: storage, upgrades: definition.upgrades)
    // An engine without transactions failed before it removed these.
    loaded.renamed = rows.filter { _, decoded in
      loaded.table.item(decoded.key).map { haveSameBytes($0, decoded.item, coder) } ?? false
    }
    var waiting = Dictionary(rows.map { ($0.row.key, $0) }, uniquingKeysWith: { $1 })
    for (row, _) in loaded.renamed { waiting[row.key] = nil }
    for (row, _) in rows {
      guard let first = waiting.removeValue(forKey: row.key) else { continue }
      var chain = [first]
      while let next = waiting.removeValue(forKey: chain[chain.count - 1].decoded.key) {
        chain.append(next)
      }
      for (row, decoded) in chain.reversed() {
        if loaded.table.holds(decoded.key) {
          loaded.table.note(otherIdentifier(decoded, of: row), key: row.key, ordinal: row.position)
        } else {
          loaded.table.upsert(decoded.item, key: decoded.key, ordinal: row.position)
          loaded.renamed.append((row, decoded))
        }
      }
    }
  }

  /// - Parameter isMeant: whether an upgrade says that it changes identifiers.
  private func otherIdentifier(
    _ decoded: DecodedItem, of row: StorageRow, isMeant: Bool = true
  ) -> LoadIssue {
    LoadIssue(
      key: row.key, reason: "Its item has the identifier \(decoded.key.rawValue).", data: row.data,
      otherIdentifier: isMeant ? nil : decoded.key,
      versionBeforeUpgrade: decoded.version < definition.upgrades.count ? decoded.version : nil)
  }

  private func append(_ result: DecodedRow, of row: StorageRow, to loaded: inout Loaded) {
    switch result {
    case .success(let decoded) where decoded.key != row.key:
      loaded.renamed.append((row, decoded))
    case .success(let decoded):
      loaded.table.upsert(decoded.item, key: decoded.key, ordinal: row.position)
      if decoded.version < definition.upgrades.count { loaded.upgraded.append(decoded.key) }
    case .failure(let issue):
      loaded.table.note(issue, key: row.key, ordinal: row.position)
    }
  }

  /// Maps chunks of `elements` concurrently, with a task for each core, and keeps their order.
  func inChunks<Element: Sendable, Made: Sendable>(
    _ elements: [Element], _ make: @escaping @Sendable (ArraySlice<Element>) async -> Made
  ) async -> [Made] {
    await withTaskGroup(of: (start: Int, made: Made).self) { group in
      var chunks: [(start: Int, made: Made)] = []
      var running = 0
      for start in stride(from: 0, to: elements.count, by: Self.chunkSize) {
        if running == ProcessInfo.processInfo.activeProcessorCount, let chunk = await group.next() {
          chunks.append(chunk)
          running -= 1
        }
        let chunk = elements[start..<min(start + Self.chunkSize, elements.count)]
        group.addTask { (start, await make(chunk)) }
        running += 1
      }
      for await chunk in group { chunks.append(chunk) }
      return chunks.sorted { $0.start < $1.start }.map(\.made)
    }
  }

  private func decode(
    _ row: StorageRow, _ coder: RowCoder
  ) throws(LoadIssue) -> RowCoder.Decoded<Item> {
    if let reason = row.reason { throw LoadIssue(key: row.key, reason: reason, data: row.data) }
    guard let coding = definition.coding else {
      return try coder.decode(Item.self, from: row.data, key: row.key)
    }
    do {
      return RowCoder.Decoded(
        value: try coding.item(of: row.data, origin: AttachmentOrigin(storage)), version: 0)
    } catch {
      throw LoadIssue(key: row.key, reason: LoadIssue.describe(error), data: row.data)
    }
  }

  private typealias DecodedRow = Result<DecodedItem, LoadIssue>

  fileprivate struct DecodedItem: Sendable {
    let item: Item
    /// From the item itself, which may share its text: then it is in memory once.
    ///
    /// Another one than the row's if an upgrade says that it changes identifiers.
    let key: CacheKey
    let version: Int
  }

  private func decodeChunk(_ rows: ArraySlice<StorageRow>) -> [DecodedRow] {
    let coder = RowCoder(storage: storage, upgrades: definition.upgrades)
    return rows.map { row in
      do throws(LoadIssue) {
        let decoded = try decode(row, coder)
        let item = DecodedItem(
          item: decoded.value, key: definition.identifier(decoded.value), version: decoded.version)
        guard item.key == row.key || decoded.mayBeRenamed else {
          throw otherIdentifier(item, of: row, isMeant: false)
        }
        return .success(item)
      } catch {
        return .failure(error)
      }
    }
  }
}
