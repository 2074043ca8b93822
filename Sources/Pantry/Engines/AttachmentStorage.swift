public import FoundationEssentials
internal import Synchronization

/// An engine that keeps the bytes of attachments apart from the items, each once.
///
/// A ``Store`` on any other engine writes the bytes inline, into the item.
public protocol AttachmentStorage: StorageEngine {
  /// Which attachments of this engine are held by values in this process.
  nonisolated var liveAttachments: LiveAttachments { get }

  /// Reads the bytes with this digest, or nil if the engine does not have them.
  ///
  /// Bytes to which no row refers any more stay readable for as long as ``liveAttachments`` names
  /// their digest.
  ///
  /// - Throws: the engine's error.
  nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data?

  /// Frees at once the bytes to which no row refers and which ``liveAttachments`` does not name.
  ///
  /// An engine does so by itself when it suits it; this is for what a person wants to be gone.
  ///
  /// - Throws: the engine's error.
  func sweepAttachments() async throws
}

/// Counts, for one engine, the values in this process that refer to each attachment.
public final class LiveAttachments: Sendable {
  private let counts = Mutex<[ContentDigest: Int]>([:])

  /// Creates an empty count.
  public init() {}

  /// Tells whether no value refers to any attachment.
  public var isEmpty: Bool { counts.withLock(\.isEmpty) }

  /// Tells whether a value refers to the attachment with this digest.
  public func contains(_ digest: ContentDigest) -> Bool {
    counts.withLock { $0[digest] != nil }
  }

  func retain(_ digest: ContentDigest) {
    counts.withLock { $0[digest, default: 0] += 1 }
  }

  func release(_ digest: ContentDigest) {
    counts.withLock { counts in
      guard let count = counts[digest] else { return }
      counts[digest] = count > 1 ? count - 1 : nil
    }
  }
}
