internal import FoundationEssentials
internal import SystemSupport

/// Collects the attachments of an item being encoded, and decides how each is written.
final class AttachmentWriter: Sendable {
  /// The writer of an encoder that has none in its `userInfo`, because it is the caller's own.
  @TaskLocal static var current: AttachmentWriter?

  enum Form {
    case reference
    case inline(Data)
  }

  private struct State {
    var inlines = false
    var bytes: [ContentDigest: Data] = [:]
    var references: [Attachment] = []
  }

  private let state = Lock(State())

  /// The attachments of the last item that were written as references.
  var references: [Attachment] { state.withLock(\.references) }

  /// Starts a new item, whose attachments are written as references.
  func beginItem() {
    state.withLock { $0 = State() }
  }

  /// Starts a new item, whose attachments are written inline if their bytes are known.
  ///
  /// - Parameter bytes: the bytes that are not in memory.
  func beginItem(inlining bytes: [ContentDigest: Data]) {
    state.withLock { $0 = State(inlines: true, bytes: bytes) }
  }

  func write(_ attachment: Attachment) -> Form {
    if state.withLock(\.inlines) {
      if let data = attachment.content.bytesInMemory { return .inline(data) }
      let digest = attachment.digest
      if let data = state.withLock({ $0.bytes[digest] }) { return .inline(data) }
    }
    state.withLock { $0.references.append(attachment) }
    return .reference
  }

  /// Encodes an item with the bytes of all its attachments, reading those that are not in memory.
  ///
  /// - Parameter encode: encodes the item with this writer, beginning it with the given bytes;
  ///   called again once more bytes were read.
  /// - Throws: what `encode` throws, or the error of an attachment that cannot be read.
  func inlining<Row>(_ encode: (_ bytes: [ContentDigest: Data]) throws -> Row) async throws -> Row {
    var bytes: [ContentDigest: Data] = [:]
    while true {
      let row = try encode(bytes)
      if references.isEmpty { return row }
      for attachment in references { bytes[attachment.digest] = try await attachment.data() }
    }
  }
}
