internal import FoundationEssentials
internal import Pantry

/// The effect of a list of changes, each key once.
///
/// A statement can change a row only once, and one statement for many rows is faster than many.
struct NetChange: Sendable {
  struct Write: Sendable {
    let key: CacheKey
    /// The digest of the key, which is needed more than once.
    let digest: Data
    var data: Data
    var attachments: [Attachment]
    /// The place of the change in the list that inserts the row, if it is inserted.
    let index: Int
  }

  /// Whether all rows are removed first.
  private(set) var removesAll = false
  /// The keys that are removed, before the writes.
  private(set) var removed: [CacheKey] = []
  /// The rows to write, in the order of their positions.
  private(set) var writes: [Write] = []
  let count: Int

  init(_ changes: [StorageChange]) {
    count = changes.count
    let start = changes.lastIndex { if case .removeAll = $0 { true } else { false } }
    removesAll = start != nil
    var places: [CacheKey: Int] = [:]
    var slots: [Write?] = []
    var gone: Set<CacheKey> = []
    for index in (start.map { $0 + 1 } ?? 0)..<changes.count {
      switch changes[index] {
      case .write(let data, let key, let attachments):
        if let place = places[key] {
          slots[place]?.data = data
          slots[place]?.attachments = attachments
        } else {
          places[key] = slots.count
          slots.append(
            Write(
              key: key, digest: key.digest, data: data, attachments: attachments, index: index))
        }
      case .remove(let key):
        if let place = places.removeValue(forKey: key) { slots[place] = nil }
        if !removesAll, gone.insert(key).inserted { removed.append(key) }
      case .removeAll: break
      }
    }
    writes = slots.compactMap(\.self)
  }

  var isEmpty: Bool { !removesAll && removed.isEmpty && writes.isEmpty }
}

extension CacheKey {
  /// The bytes that a row has as its key.
  var bytes: Data { Data(rawValue.utf8) }
  /// The key of the index.
  var digest: Data {
    Data(ContentDigest(of: bytes).bytes)
  }

  init(bytes: UnsafeRawBufferPointer) {
    self.init(verbatim: String(decoding: bytes, as: UTF8.self))
  }
}
