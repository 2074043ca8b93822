internal import FoundationEssentials
internal import SystemSupport

/// The bytes that copies of one ``Attachment`` share: in memory, or in an engine.
final class AttachmentContent: Sendable {
  private enum Place {
    case memory(Data)
    case storage(any StorageEngine)
    /// A reference decoded outside a store.
    case nowhere
  }

  private struct State {
    var place: Place
    var digest: ContentDigest?
  }

  let byteCount: Int
  private let state: Lock<State>

  init(_ data: Data) {
    byteCount = data.count
    state = Lock(State(place: .memory(data)))
  }

  init(digest: ContentDigest, byteCount: Int, storage: (any StorageEngine)?) {
    self.byteCount = byteCount
    storage?.liveAttachments?.retain(digest)
    state = Lock(State(place: storage.map(Place.storage) ?? .nowhere, digest: digest))
  }

  deinit {
    state.withLock { state in
      if case .storage(let engine) = state.place, let digest = state.digest {
        engine.liveAttachments?.release(digest)
      }
    }
  }

  var digest: ContentDigest {
    let fresh: Data
    switch state.withLock({ ($0.digest, $0.place) }) {
    case (let digest?, _): return digest
    case (nil, .memory(let data)): fresh = data
    case (nil, _): preconditionFailure("only new bytes have no digest yet")
    }
    // Outside the lock: two threads may both hash, with the same result.
    let digest = ContentDigest(of: fresh)
    state.withLock { $0.digest = digest }
    return digest
  }

  var bytesInMemory: Data? {
    state.withLock { state in
      if case .memory(let data) = state.place { data } else { nil }
    }
  }

  func data() async throws -> Data {
    let (place, digest) = state.withLock { ($0.place, $0.digest) }
    switch place {
    case .memory(let data): return data
    case .nowhere: throw StorageError.attachmentMissing(self.digest)
    case .storage(let engine):
      return try await Self.read(digest ?? self.digest, from: engine)
    }
  }

  func isStored(in engine: some StorageEngine) -> Bool {
    state.withLock { state in
      if case .storage(let storage) = state.place {
        storage.liveAttachments === engine.liveAttachments
      } else {
        false
      }
    }
  }

  /// Releases the bytes in memory after `engine` has stored them.
  func didStore(in engine: any StorageEngine) {
    let digest = self.digest
    state.withLock { state in
      if case .storage = state.place { return }
      engine.liveAttachments?.retain(digest)
      state.place = .storage(engine)
    }
  }

  func hasSameBytes(as other: AttachmentContent) -> Bool {
    if self === other { return true }
    guard byteCount == other.byteCount else { return false }
    if let mine = bytesInMemory, let theirs = other.bytesInMemory { return mine == theirs }
    return digest == other.digest
  }

  @concurrent
  private static func read(_ digest: ContentDigest, from engine: any StorageEngine)
    async throws -> Data
  {
    guard let data = try await engine.attachmentData(for: digest) else {
      throw StorageError.attachmentMissing(digest)
    }
    guard ContentDigest(of: data) == digest else { throw StorageError.attachmentDamaged(digest) }
    return data
  }
}

extension StorageEngine {
  /// Releases the bytes of attachments that the engine has stored with `changes`.
  nonisolated func noteStored(_ changes: [StorageChange]) {
    guard liveAttachments != nil else { return }
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments { attachment.content.didStore(in: self) }
    }
  }
}
