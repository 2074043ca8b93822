public import FoundationEssentials

/// One step of a commit.
public enum StorageChange: Sendable {
  /// Writes `data` under `key`, with the attachments that the data refers to.
  ///
  /// `attachments` is empty for an engine without
  /// ``StorageEngine/liveAttachments``.
  case write(Data, key: CacheKey, attachments: [Attachment] = [])
  /// Removes `key`; no error if it is absent.
  case remove(key: CacheKey)
  /// Removes everything in the engine's key space.
  case removeAll

  /// The key that it writes or removes; nil if it removes everything.
  var key: CacheKey? {
    switch self {
    case .write(_, let key, _), .remove(let key): key
    case .removeAll: nil
    }
  }
}
