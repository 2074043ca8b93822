public import FoundationEssentials

/// Large data of an item, kept out of memory: a picture, a recording, a document.
///
/// New bytes are in memory until a ``Store`` has stored the item; then they are on disk only,
/// and ``data()`` reads them. An attachment in use keeps its bytes readable,
/// even after the item was removed.
///
/// A store encodes it as a small reference, and the engine stores identical bytes once. On an
/// engine without attachments the bytes are written inline, as base64.
///
/// A value for any thread. Copies share the bytes, and comparing compares digests: the first use of
/// the ``digest`` of new bytes hashes them all.
public struct Attachment: Sendable {
  let content: AttachmentContent

  /// Wraps new bytes; they are neither copied nor hashed here.
  public init(_ data: Data) {
    content = AttachmentContent(data)
  }

  init(content: AttachmentContent) {
    self.content = content
  }

  /// The number of bytes.
  ///
  /// - Complexity: O(1); nothing is read.
  public var byteCount: Int { content.byteCount }

  /// The SHA-256 digest of the bytes.
  ///
  /// - Complexity: O(1), except the first time for new bytes: a hash, on the caller's thread.
  public var digest: ContentDigest { content.digest }

  /// Returns the bytes from memory, or reads them from the engine.
  ///
  /// - Throws: ``StorageError/attachmentMissing(_:)`` or ``StorageError/attachmentDamaged(_:)``, or
  ///   the engine's error. The digest is checked when bytes are read.
  /// - Complexity: O(1) from memory; otherwise a read and a hash, both off the caller's actor.
  public func data() async throws -> Data {
    try await content.data()
  }

  /// Returns whether the bytes are in the storage of an engine.
  package func isStored(in engine: some StorageEngine) -> Bool {
    content.isStored(in: engine)
  }
}

/// Attachments are equal if their bytes are.
///
/// The digests are compared; two new attachments of the same length are compared byte by byte.
extension Attachment: Hashable {
  /// Returns whether the bytes are the same.
  public static func == (left: Attachment, right: Attachment) -> Bool {
    left.content.hasSameBytes(as: right.content)
  }

  /// Hashes the number of bytes.
  public func hash(into hasher: inout Hasher) {
    // == distinguishes attachments of the same length; hashing the bytes here would cost O(n).
    hasher.combine(byteCount)
  }
}

extension Attachment: Codable {
  private enum CodingKeys: String, CodingKey {
    case sha256, byteCount, base64
  }

  /// Decodes a reference or inline bytes.
  ///
  /// A reference decoded outside a store has no engine to read from: its ``data()`` throws.
  ///
  /// - Throws: the decoder's error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let hexadecimal = try container.decodeIfPresent(String.self, forKey: .sha256) else {
      self.init(try container.decode(Data.self, forKey: .base64))
      return
    }
    let byteCount = try container.decode(Int.self, forKey: .byteCount)
    guard let digest = ContentDigest(hexadecimal: hexadecimal), byteCount >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .sha256, in: container,
        debugDescription: "An attachment needs 64 hexadecimal digits and a byte count.")
    }
    let origin =
      decoder.userInfo[.attachmentStorage] as? AttachmentOrigin ?? AttachmentOrigin.current
    self.init(
      content: AttachmentContent(digest: digest, byteCount: byteCount, storage: origin?.storage))
  }

  /// Encodes a reference, or the bytes.
  ///
  /// A store that keeps attachments gets a reference. Every other encoder gets the bytes, since a
  /// reference alone would lose them: those of a stored attachment have to be read first.
  ///
  /// ```swift
  /// copy.picture = Attachment(try await photo.picture.data())
  /// ```
  ///
  /// - Throws: `EncodingError` outside a store if the bytes are not in memory, or the encoder's
  ///   error.
  public func encode(to encoder: any Encoder) throws {
    let writer =
      encoder.userInfo[.attachmentWriter] as? AttachmentWriter ?? AttachmentWriter.current
    let inMemory = { content.bytesInMemory.map(AttachmentWriter.Form.inline) }
    guard let form = writer?.write(self) ?? inMemory() else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "The bytes of this attachment are in the storage of its store, and a "
            + "reference to them would be all that is encoded here. Read them first, and encode "
            + "Attachment(try await attachment.data())."))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch form {
    case .inline(let data):
      try container.encode(data, forKey: .base64)
    case .reference:
      try container.encode(digest.hexadecimal, forKey: .sha256)
      try container.encode(byteCount, forKey: .byteCount)
    }
  }
}

/// The engine of the rows that are decoded.
///
/// A type of its own: to find it takes no search for a conformance.
struct AttachmentOrigin {
  /// The origin for a decoder that has none in its `userInfo`, because it is the caller's own.
  @TaskLocal static var current: AttachmentOrigin?

  let storage: any StorageEngine

  /// Nil for an engine that keeps no attachments: it has their bytes in the rows.
  init?(_ storage: any StorageEngine) {
    guard storage.liveAttachments != nil else { return nil }
    self.storage = storage
  }
}

extension CodingUserInfoKey {
  /// The engine from which a decoded reference reads its bytes.
  static let attachmentStorage = CodingUserInfoKey(rawValue: "pantry.attachmentStorage")!
  /// The ``AttachmentWriter`` of the current encoding.
  static let attachmentWriter = CodingUserInfoKey(rawValue: "pantry.attachmentWriter")!
}
