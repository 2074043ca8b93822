internal import FoundationEssentials

/// Turns one value after another into the JSON of a row and back, attachments included.
///
/// Not Sendable: each task makes its own.
struct RowCoder {
  private let writer: AttachmentWriter
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// - Parameter storage: keeps the bytes of attachments, or has them inline if it cannot.
  init(storage: any StorageEngine) {
    let attachments = storage as? any AttachmentStorage
    writer = AttachmentWriter(inlines: attachments == nil)
    encoder.outputFormatting = [.withoutEscapingSlashes]
    encoder.userInfo[.attachmentWriter] = writer
    if let attachments { decoder.userInfo[.attachmentStorage] = attachments }
  }

  /// Encodes `value`; on a storage without attachments the bytes of stored ones are read first.
  func encode(_ value: some Encodable) async throws -> (data: Data, attachments: [Attachment]) {
    writer.beginItem()
    var data = try encoder.encode(value)
    let missing = writer.missing
    if !missing.isEmpty {
      var loaded: [ContentDigest: Data] = [:]
      for attachment in missing { loaded[attachment.digest] = try await attachment.data() }
      writer.beginItem(loaded: loaded)
      data = try encoder.encode(value)
    }
    return (data, writer.attachments)
  }

  /// Decodes the row under `key`.
  ///
  /// - Throws: ``LoadIssue`` with the key and the reason.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data, key: CacheKey)
    throws(LoadIssue) -> Value
  {
    do {
      return try decoder.decode(type, from: data)
    } catch {
      throw LoadIssue(key: key, reason: LoadIssue.describe(error))
    }
  }
}
