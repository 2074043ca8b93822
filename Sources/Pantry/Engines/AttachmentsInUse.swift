internal import SystemSupport

/// Counts, for one engine, the values in this process that refer to each attachment.
///
/// It can be used from any thread; all members are O(1).
public final class AttachmentsInUse: Sendable {
  private let counts = Lock<[ContentDigest: Int]>([:])

  /// Creates a count without attachments.
  public init() {}

  /// Whether no value refers to any attachment.
  package var isEmpty: Bool { counts.withLock(\.isEmpty) }

  /// Returns whether a value refers to the attachment with this digest.
  public func contains(_ digest: ContentDigest) -> Bool {
    counts.withLock { $0[digest] != nil }
  }

  /// Makes room for a number of digests, so that growing never keeps decoders waiting.
  func reserveCapacity(_ count: Int) {
    counts.withLock { $0.reserveCapacity(count) }
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
