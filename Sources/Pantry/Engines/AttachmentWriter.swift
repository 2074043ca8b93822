internal import FoundationEssentials
internal import Locking

/// Collects the attachments of an item being encoded, and decides how each is written.
final class AttachmentWriter: Sendable {
  enum Form {
    case reference
    case inline(Data)
  }

  private struct State {
    var attachments: [Attachment] = []
    var missing: [Attachment] = []
    var loaded: [ContentDigest: Data] = [:]
  }

  private let inlines: Bool
  private let state = Lock(State())

  /// - Parameter inlines: whether bytes are written into the item, for an engine without
  ///   attachments.
  init(inlines: Bool) {
    self.inlines = inlines
  }

  /// The attachments of the last encoded item.
  var attachments: [Attachment] { state.withLock(\.attachments) }

  /// The attachments whose bytes are neither in memory nor loaded: load them and encode again.
  var missing: [Attachment] { state.withLock(\.missing) }

  /// Starts a new item; `loaded` has the bytes that it needs inline.
  func beginItem(loaded: [ContentDigest: Data] = [:]) {
    state.withLock { $0 = State(loaded: loaded) }
  }

  func write(_ attachment: Attachment) -> Form {
    if inlines, let data = attachment.content.bytesInMemory { return .inline(data) }
    let digest = attachment.digest
    return state.withLock { state in
      guard inlines else {
        state.attachments.append(attachment)
        return .reference
      }
      if let data = state.loaded[digest] { return .inline(data) }
      state.missing.append(attachment)
      return .reference
    }
  }
}
