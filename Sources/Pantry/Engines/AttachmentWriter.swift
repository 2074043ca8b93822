internal import FoundationEssentials
internal import Synchronization

/// Decides, while a store encodes an item, how each of its attachments is written, and collects
/// them.
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
  private let state = Mutex(State())

  /// - Parameter inlines: whether bytes go into the item, for an engine without attachments.
  init(inlines: Bool) {
    self.inlines = inlines
  }

  /// The attachments that the item encoded last refers to.
  var attachments: [Attachment] { state.withLock(\.attachments) }

  /// Those whose bytes are neither in memory nor loaded: load them and encode again.
  var missing: [Attachment] { state.withLock(\.missing) }

  /// Forgets the last item; `loaded` holds bytes that the next one needs inline.
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
