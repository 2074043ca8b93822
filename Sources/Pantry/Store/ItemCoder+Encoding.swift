internal import FoundationEssentials

extension ItemCoder {
  /// Encodes `items` into the changes that save them, in their order.
  ///
  /// On an engine without attachments the bytes of stored ones are read first. Rows are decoded
  /// again, before anything is written (``RowCoder/Row/isVerified(under:among:)``), and in any case
  /// those that do not have their identifier as it is.
  ///
  /// - Parameter former: the items that they replace, or nil for each that is written in any case;
  ///   empty if all are.
  /// - Returns: for each item its change, or nil if it has the same bytes as the one it replaces.
  /// - Throws: the error of the first item that cannot be encoded, or decoded again.
  @concurrent
  func encode(_ items: [Item], over former: [Item?] = []) async throws -> [StorageChange?] {
    guard items.count > Self.chunkSize else {
      return try await encodeChunk(items[...], over: former, of: items.count)
    }
    let chunks = await inChunks(items) { chunk in
      do {
        return Result<[StorageChange?], any Error>.success(
          try await encodeChunk(chunk, over: former, of: items.count))
      } catch {
        return .failure(error)
      }
    }
    var changes: [StorageChange?] = []
    changes.reserveCapacity(items.count)
    for chunk in chunks { changes += try chunk.get() }
    return changes
  }

  /// Encodes a step of one item or key on the caller's executor; the engine keeps attachments.
  ///
  /// - Parameter former: the item that it replaces.
  func changesInTurn(of step: ResolvedStep<Item>, over former: Item?) throws -> EncodedSteps<Item> {
    var encoded = EncodedSteps(steps: [step])
    switch step {
    case .add(let items), .replace(let items, _):
      let coder = RowCoder(storage: storage, upgrades: definition.upgrades)
      let row = try coder.encodeReference(items[0])
      encoded.changes = [try change(row, of: items[0], coder, among: 1)]
      if let former {
        encoded.unchanged =
          coder.bytes(of: former) == row.data ? [definition.identifier(former)] : []
      }
    case .remove(let keys): encoded.changes = keys.map { .remove(key: $0) }
    case .removeAll: encoded.changes = [.removeAll]
    }
    return encoded
  }

  private func encodeChunk(
    _ items: ArraySlice<Item>, over former: [Item?], of count: Int
  ) async throws -> [StorageChange?] {
    let coder = RowCoder(storage: storage, upgrades: definition.upgrades)
    var changes: [StorageChange?] = []
    changes.reserveCapacity(items.count)
    for index in items.indices {
      let item = items[index]
      let row = try await encode(item, over: former.isEmpty ? nil : former[index], coder)
      changes.append(try row.map { try change($0, of: item, coder, among: count) })
    }
    return changes
  }

  private func encode(
    _ item: Item, over former: Item?, _ coder: RowCoder
  ) async throws -> RowCoder.Row? {
    guard let coding = definition.coding else { return try await coder.encode(item, over: former) }
    if let former, haveSameBytes(item, former, coder) { return nil }
    return RowCoder.Row(data: try await coding.row(of: item), attachments: [])
  }

  private func change(
    _ row: RowCoder.Row, of item: Item, _ coder: RowCoder, among count: Int
  ) throws -> StorageChange {
    let key = definition.identifier(item)
    // Another identifier would be another row.
    if row.isVerified(under: key, among: count) || definition.coding == nil && !row.mentions(key) {
      try verify(row, of: item, under: key, coder)
    }
    return .write(row.data, key: key, attachments: row.attachments)
  }

  /// Decodes the row of `item` again, and compares the identifiers and the content.
  private func verify(
    _ row: RowCoder.Row, of item: Item, under key: CacheKey, _ coder: RowCoder
  ) throws {
    guard let coding = definition.coding else {
      return try coder.verify(row, of: item, key: key) { try requireIdentifier(key, of: $0) }
    }
    let decoded: Item
    do {
      decoded = try coding.item(of: row.data, origin: nil)
    } catch {
      throw RowCoder.unreadable(item, LoadIssue.describe(error))
    }
    try requireIdentifier(key, of: decoded)
    // Only JSON is compared: in another format the same content may have other bytes.
    let bytes = { (item: Item) in try? coding.comparedBytes(of: item) }  // nil is not compared
    try RowCoder.requireSameContent(of: item, bytes(item), bytes(decoded)) { bytes(item) }
  }

  private func requireIdentifier(_ key: CacheKey, of decoded: Item) throws {
    let found = definition.identifier(decoded)
    guard found != key else { return }
    throw RowCoder.refusal(
      of: decoded,
      "Read again, its identifier \(key.rawValue) would be \(found.rawValue). Encode it: name it in "
        + "CodingKeys, and write `var id = UUID()` rather than `let`, which is never decoded.")
  }

  func haveSameBytes(_ item: Item, _ other: Item, _ coder: RowCoder) -> Bool {
    guard let coding = definition.coding else { return coder.haveSameBytes(item, other) }
    // An item that cannot be encoded equals no other.
    guard let bytes = try? coding.comparedBytes(of: item) else { return false }
    return bytes == (try? coding.comparedBytes(of: other))  // nil equals nothing
  }
}
