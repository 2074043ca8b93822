internal import FoundationEssentials

/// Turns items into the JSON that an engine keeps, and back, off the main actor.
struct ItemCoder<Item: StorableItem>: Sendable {
  /// An item as an engine is given it.
  struct Encoded: Sendable {
    let key: String
    let data: Data
    let attachments: [Attachment]
  }

  let storage: any StorageEngine
  let identifier: @Sendable (Item) -> String

  /// Encodes `items`; on an engine without attachments the bytes of stored ones are read first.
  @concurrent
  func encode(_ items: [Item]) async throws -> [Encoded] {
    let coder = RowCoder(storage: storage)
    var encoded: [Encoded] = []
    encoded.reserveCapacity(items.count)
    for item in items {
      let (data, attachments) = try await coder.encode(item)
      encoded.append(Encoded(key: identifier(item), data: data, attachments: attachments))
    }
    return encoded
  }

  /// Decodes an engine's rows, on all cores, into the table that the store shows.
  @concurrent
  func decode(_ rows: [(key: CacheKey, data: Data)]) async -> ItemTable<Item> {
    let chunkSize = 512
    let chunks = await withTaskGroup(of: (Int, [Result<Item, LoadIssue>]).self) { group in
      for start in stride(from: 0, to: rows.count, by: chunkSize) {
        let chunk = rows[start..<min(start + chunkSize, rows.count)]
        group.addTask { (start, decode(chunk)) }
      }
      return await group.reduce(into: [Int: [Result<Item, LoadIssue>]]()) { $0[$1.0] = $1.1 }
    }
    var table = ItemTable<Item>()
    table.reserveCapacity(rows.count)
    for start in chunks.keys.sorted() {
      for (offset, result) in chunks[start, default: []].enumerated() {
        let key = rows[start + offset].key.rawValue
        switch result {
        case .success(let item): table.upsert(item, key: key)
        case .failure(let issue): table.note(issue, key: key)
        }
      }
    }
    return table
  }

  private func decode(_ rows: ArraySlice<(key: CacheKey, data: Data)>) -> [Result<Item, LoadIssue>]
  {
    let coder = RowCoder(storage: storage)
    return rows.map { row in
      do throws(LoadIssue) {
        let item = try coder.decode(Item.self, from: row.data, key: row.key)
        let key = identifier(item)
        guard key == row.key.rawValue else {
          throw LoadIssue(key: row.key, reason: "The item in it is called \(key).")
        }
        return .success(item)
      } catch {
        return .failure(error)
      }
    }
  }
}
