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
  /// Bytes that were removed stay readable for as long as ``liveAttachments`` names their digest.
  ///
  /// - Throws: the engine's error.
  nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data?

  /// Whether ``releaseRemovedAttachments()`` has anything to do; by default always.
  ///
  /// A Store that need not call it saves each operation a turn of the engine.
  nonisolated var holdsRemovedAttachments: Bool { get }

  /// Frees what the engine held on to for values that were alive during a commit and may now be gone.
  ///
  /// The Store calls it after a commit, when its memory has followed.
  func releaseRemovedAttachments() async
}

extension AttachmentStorage {
  /// True: ``releaseRemovedAttachments()`` is called after each commit.
  public nonisolated var holdsRemovedAttachments: Bool { true }
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
